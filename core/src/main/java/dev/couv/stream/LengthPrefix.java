// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The number in front of a frame that tells how long it is: one, two, three, four or eight bytes without a sign, in the
/// order of the buffer.
final class LengthPrefix {
  private LengthPrefix() {}

  static void check(int lengthBytes) {
    switch (lengthBytes) {
      case 1, 2, 3, 4, 8 -> {}
      default ->
          throw new IllegalArgumentException(
              "a length is of 1, 2, 3, 4 or 8 bytes: " + lengthBytes);
    }
  }

  /// The one at that place; negative if it is larger than a `long`.
  static long get(ByteBuffer bytes, int at, int lengthBytes) {
    return switch (lengthBytes) {
      case 1 -> bytes.get(at) & 0xff;
      case 2 -> bytes.getShort(at) & 0xffff;
      case 3 -> {
        int low = bytes.order() == ByteOrder.BIG_ENDIAN ? at + 2 : at;
        int high = bytes.order() == ByteOrder.BIG_ENDIAN ? at : at + 2;
        yield ((bytes.get(high) & 0xff) << 16)
            | ((bytes.get(at + 1) & 0xff) << 8)
            | (bytes.get(low) & 0xff);
      }
      case 4 -> bytes.getInt(at) & 0xffff_ffffL;
      default -> bytes.getLong(at);
    };
  }

  /// @throws IllegalArgumentException if such a number cannot be so large
  static void checkFits(int length, int lengthBytes) {
    check(lengthBytes);
    if (lengthBytes < 4 && length >>> (8 * lengthBytes) != 0) {
      throw new IllegalArgumentException(
          "a frame of " + length + " bytes, whose length is to have " + lengthBytes);
    }
  }

  static void put(ByteBuffer room, int length, int lengthBytes) {
    switch (lengthBytes) {
      case 1 -> room.put((byte) length);
      case 2 -> room.putShort((short) length);
      case 3 -> {
        boolean big = room.order() == ByteOrder.BIG_ENDIAN;
        room.put((byte) (big ? length >> 16 : length));
        room.put((byte) (length >> 8));
        room.put((byte) (big ? length : length >> 16));
      }
      case 4 -> room.putInt(length);
      default -> room.putLong(length);
    }
  }
}
