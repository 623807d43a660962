// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import java.io.IOException;

/// An answer that had begun and cannot be sent to its end, because who makes it has failed. The cause is that failure.
public final class Torn extends IOException {
  private static final long serialVersionUID = 1L;

  private final Throwable failure;

  /// By that failure.
  public Torn(Throwable failure) {
    super("an answer was torn", failure);
    this.failure = failure;
  }

  /// Of who makes the answer.
  public Throwable failure() {
    return failure;
  }
}
