// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import java.io.IOException;

/// An answer that had begun and cannot be sent to its end, because who makes it has failed. The cause is that failure.
final class Torn extends IOException {
  private static final long serialVersionUID = 1L;

  private final Throwable failure;

  Torn(Throwable failure) {
    super("an answer was torn", failure);
    this.failure = failure;
  }

  Throwable failure() {
    return failure;
  }
}
