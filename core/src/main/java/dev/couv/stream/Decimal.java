// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import java.net.ProtocolException;
import java.nio.ByteBuffer;

/// A number in decimal digits, perhaps behind a minus, as protocols have it that are text.
final class Decimal {
  private Decimal() {}

  /// Counted down from zero: there is one negative number more.
  ///
  /// @throws ProtocolException if it is no such number, or too large
  static long get(ByteBuffer bytes, int start, int length) throws ProtocolException {
    int at = start;
    int end = start + length;
    boolean negative = length > 0 && bytes.get(at) == '-';
    at += negative ? 1 : 0;
    boolean wrong = at == end;
    long number = 0;
    for (; at < end && !wrong; at++) {
      int digit = bytes.get(at) - '0';
      wrong = digit < 0 || digit > 9 || number < (Long.MIN_VALUE + digit) / 10;
      number = 10 * number - digit;
    }
    if (wrong || (!negative && number == Long.MIN_VALUE)) {
      throw new ProtocolException("a line that is no number");
    }
    return negative ? number : -number;
  }

  /// How many bytes it has.
  static int length(long value) {
    int length = value < 0 ? 2 : 1;
    for (long rest = value / 10; rest != 0; rest /= 10) {
      length++;
    }
    return length;
  }

  static void put(ByteBuffer room, long value, int length) {
    int start = room.position();
    room.position(start + length);
    long rest = value;
    for (int i = start + length - 1; i >= start; i--) {
      room.put(i, (byte) ('0' + Math.abs(rest % 10)));
      rest /= 10;
    }
    if (value < 0) {
      room.put(start, (byte) '-');
    }
  }
}
