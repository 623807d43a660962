// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import java.io.IOException;

/// The client does not take the answer any more: told to who writes it, and not a failure of his.
public final class ClientGone extends IOException {
  private static final long serialVersionUID = 1L;

  /// Because of that.
  public ClientGone(IOException cause) {
    super("the client has gone: " + cause.getMessage(), cause);
  }
}
