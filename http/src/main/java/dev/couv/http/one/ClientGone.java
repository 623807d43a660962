// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import java.io.IOException;

/// The client does not take the answer any more: told to who writes it, and not a failure of his.
final class ClientGone extends IOException {
  private static final long serialVersionUID = 1L;

  ClientGone(IOException cause) {
    super("the client has gone: " + cause.getMessage(), cause);
  }
}
