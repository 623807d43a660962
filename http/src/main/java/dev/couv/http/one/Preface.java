// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import java.nio.charset.StandardCharsets;

/// What a client sends first that speaks HTTP/2 without having asked (RFC 9113, 3.4). It was made so that nothing of
/// HTTP/1.1 begins like it.
final class Preface {
  private static final byte[] BYTES =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private Preface() {}

  /// Whether what has come is the beginning of it, or begins with it.
  static boolean isPossible(Inflow in) {
    byte[] array = in.array();
    int start = in.bytes().readerIndex();
    int count = Math.min(in.size(), BYTES.length);
    for (int i = 0; i < count; i++) {
      if (array[start + i] != BYTES[i]) {
        return false;
      }
    }
    return true;
  }

  /// Whether so much has come that [#isPossible] is no guess.
  static boolean isWhole(Inflow in) {
    return in.size() >= BYTES.length;
  }
}
