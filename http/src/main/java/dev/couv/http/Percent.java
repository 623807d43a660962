// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Takes `%20` and the like apart, and makes them of bytes.
final class Percent {
  private Percent() {}

  /// Decoded, as UTF-8; in a query `+` is a space.
  ///
  /// @throws HttpFailure with the status 400 if it is not hexadecimal, not UTF-8, or has a zero
  static String decode(String text, boolean query) throws HttpFailure {
    if (text.indexOf('%') < 0 && (!query || text.indexOf('+') < 0) && isAscii(text)) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        int value = i + 2 < text.length() ? (digit(text, i + 1) << 4) | digit(text, i + 2) : -1;
        if (value <= 0) {
          throw new HttpFailure(400, value == 0 ? "a zero in the path\n" : "malformed %\n");
        }
        bytes.write(value);
        i += 2;
      } else {
        bytes.write(c == '+' && query ? ' ' : c);
      }
    }
    try {
      ByteBuffer all = ByteBuffer.wrap(bytes.toByteArray());
      return StandardCharsets.UTF_8.newDecoder().decode(all).toString();
    } catch (CharacterCodingException e) {
      throw new HttpFailure(400, "not UTF-8\n");
    }
  }

  /// The value of a header, in which each character is a byte, as a URI has it: what is no ASCII is `%C3` and the like.
  static String ofBytes(String value) {
    if (isAscii(value)) {
      return value;
    }
    HexFormat hex = HexFormat.of().withUpperCase();
    StringBuilder encoded = new StringBuilder(value.length() + 16);
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < 128) {
        encoded.append(c);
      } else {
        encoded.append('%').append(hex.toHexDigits((byte) c));
      }
    }
    return encoded.toString();
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 128) {
        return false;
      }
    }
    return true;
  }

  /// Negative beyond all that is or-ed to it, if there is none.
  private static int digit(String text, int at) {
    return Character.digit(text.charAt(at), 16);
  }
}
