// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import io.netty.handler.codec.http.HttpResponseStatus;

/// What a status is called: for people who read along.
final class Reasons {
  private Reasons() {}

  static String of(int status) {
    return switch (status) { // Netty has the names that these had before RFC 9110
      case 413 -> "Content Too Large";
      case 414 -> "URI Too Long";
      case 416 -> "Range Not Satisfiable";
      case 422 -> "Unprocessable Content";
      default -> HttpResponseStatus.valueOf(status).reasonPhrase();
    };
  }
}
