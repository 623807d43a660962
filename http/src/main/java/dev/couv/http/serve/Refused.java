// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import java.io.IOException;

/// A request that is answered with a failure and after which the connection is closed: nobody knows what follows it.
public final class Refused extends IOException {
  private static final long serialVersionUID = 1L;

  private final int status;

  /// With that status, and that word on it.
  public Refused(int status, String reason) {
    super(reason);
    this.status = status;
  }

  /// What the client is told.
  public int status() {
    return status;
  }
}
