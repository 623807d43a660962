// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.socket;

/// Why a WebSocket is closed (RFC 6455, 7.4).
public final class CloseCodes {
  public static final int NORMAL = 1000;
  public static final int GOING_AWAY = 1001;
  public static final int PROTOCOL_ERROR = 1002;

  /// Of a side that said nothing. Never sent.
  public static final int NOTHING_SAID = 1005;

  /// Of a connection that ended without a word. Never sent.
  public static final int ABNORMAL = 1006;

  public static final int NOT_UTF8 = 1007;
  public static final int TOO_LARGE = 1009;
  public static final int FAILED = 1011;

  private CloseCodes() {}

  /// Whether one side may say it to the other.
  public static boolean canBeSent(int code) {
    return (code >= 1000 && code <= 1003)
        || (code >= 1007 && code <= 1014)
        || (code >= 3000 && code <= 4999);
  }
}
