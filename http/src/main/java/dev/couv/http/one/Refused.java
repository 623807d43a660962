// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import java.io.IOException;

/// A request that is answered with a failure and after which the connection is closed: nobody knows what follows it.
final class Refused extends IOException {
  private static final long serialVersionUID = 1L;

  private final int status;

  Refused(int status, String reason) {
    super(reason);
    this.status = status;
  }

  int status() {
    return status;
  }
}
