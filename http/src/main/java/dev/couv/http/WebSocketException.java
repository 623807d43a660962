// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.io.IOException;

/// The other side of a [WebSocket] has broken the rules: it was told so by the [code][#code], and the socket is of no more
/// use.
public final class WebSocketException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int code;

  /// With the code by which the other side is told, and what was wrong.
  public WebSocketException(int code, String message) {
    super(message);
    this.code = code;
  }

  /// The code by which the other side was told: 1002 what is no WebSocket, 1007 text that is not UTF-8, 1009 too large.
  public int code() {
    return code;
  }
}
