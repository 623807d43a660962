// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

/// Which answers are compressed, and how: by gzip, for clients that take it (`Accept-Encoding`), and only text, JSON, XML and their like.
///
/// A page that has a secret and, beside it, what an attacker chose, tells by its compressed length how much they are alike (BREACH). Such
/// an answer is left alone if it says `Cache-Control: no-transform`.
///
/// @param minimum so many bytes an answer has at least, if their number is known
/// @param level from 1, quick, to 9, small
/// @param atOnce so many answers are on their way compressed at once, each of which has a quarter of a MiB outside of the heap; more go
///     as they are
public record Compression(int minimum, int level, int atOnce) {
  /// From 1 KiB on, at zlib's own level, 256 at once.
  public static final Compression DEFAULT = new Compression(1 << 10, 6, 256);

  /// Refuses a negative minimum, levels that there are not, and less than one answer.
  public Compression {
    if (minimum < 0) {
      throw new IllegalArgumentException("negative minimum: " + minimum);
    }
    if (level < 1 || level > 9) {
      throw new IllegalArgumentException("a level is from 1 to 9: " + level);
    }
    if (atOnce < 1) {
      throw new IllegalArgumentException("at most " + atOnce + " answers at once");
    }
  }

  /// From so many bytes on. What is smaller gains nothing: it goes in one packet anyway.
  public Compression withMinimum(int newMinimum) {
    return new Compression(newMinimum, level, atOnce);
  }

  /// From 1, quick, to 9, small.
  public Compression withLevel(int newLevel) {
    return new Compression(minimum, newLevel, atOnce);
  }

  /// How many answers are compressed at once, each of which has a quarter of a MiB outside of the heap; more go as they are.
  public Compression withAtOnce(int newAtOnce) {
    return new Compression(minimum, level, newAtOnce);
  }
}
