// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import org.jspecify.annotations.Nullable;

/// A part of a file.
///
/// @param length 0 if the file has no such part
record ByteRange(long first, long length) {
  private static final ByteRange NOTHING = new ByteRange(0, 0);

  long last() {
    return first + length - 1;
  }

  /// What a header `Range` asks for, of a file of that size; null if it is not one range of bytes, which may be ignored.
  static @Nullable ByteRange of(String header, long size) {
    if (!header.regionMatches(true, 0, "bytes=", 0, 6)) {
      return null;
    }
    String range = header.substring(6).strip();
    int dash = range.indexOf('-');
    if (dash < 0) {
      return null;
    }
    long first = number(range.substring(0, dash));
    long last = number(range.substring(dash + 1));
    if (first == BAD || last == BAD || (first == NONE && last == NONE)) {
      return null;
    }
    if (first == NONE) {
      long length = Math.min(last, size);
      return new ByteRange(size - length, length);
    }
    if (last != NONE && last < first) {
      return null;
    }
    if (first >= size) {
      return NOTHING;
    }
    long end = last == NONE ? size - 1 : Math.min(last, size - 1);
    return new ByteRange(first, end - first + 1);
  }

  private static final long NONE = -1;
  private static final long BAD = -2;

  /// One that is larger than every file is not bad.
  private static long number(String text) {
    if (text.isEmpty()) {
      return NONE;
    }
    long number = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return BAD;
      }
      number = number > Long.MAX_VALUE / 20 ? Long.MAX_VALUE / 2 : 10 * number + (c - '0');
    }
    return number;
  }
}
