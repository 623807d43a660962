// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

/// The headers that say where a message ends and what becomes of its connection: nobody but the connection sets them.
final class Framing {
  private Framing() {}

  static void refuse(String name) {
    if (isFraming(name)) {
      throw new IllegalArgumentException("the header " + name + " is set by the connection");
    }
  }

  /// The length tells most others apart.
  private static boolean isFraming(String name) {
    return switch (name.length()) {
      case 10 -> name.equalsIgnoreCase("connection") || name.equalsIgnoreCase("keep-alive");
      case 14 -> name.equalsIgnoreCase("content-length");
      case 17 -> name.equalsIgnoreCase("transfer-encoding");
      default -> false;
    };
  }
}
