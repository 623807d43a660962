// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.util.zip.CRC32;
import java.util.zip.ZipException;

/// The head of a member of a gzip file (RFC 1952, 2.3), which is looked at byte by byte, and of which nothing is kept.
///
/// ```
///   FIXED ──► EXTRA_SIZE ──► EXTRA ──► NAME ──► COMMENT ──► CHECK ──► WHOLE
/// ```
///
/// What the flags do not announce is passed over.
final class GzipHead {
  /// The first byte of each.
  static final int FIRST = 0x1f;

  private static final int SECOND = 0x8b;
  private static final int FIXED_SIZE = 10;
  private static final int DEFLATE = 8;

  private final CRC32 check = new CRC32();
  private State state = State.FIXED;
  private int flags;

  /// Bytes of this part that were seen.
  private int seen;

  /// How many bytes the extra field has.
  private int extra;

  private enum State {
    FIXED(0),
    EXTRA_SIZE(4),
    EXTRA(4),
    NAME(8),
    COMMENT(16),
    CHECK(2),
    WHOLE(0);

    /// The bit that announces it.
    private final int flag;

    State(int flag) {
      this.flag = flag;
    }

    /// What comes behind it, of what the flags announce.
    State next(int flags) {
      State next = follower();
      while (next != WHOLE && (flags & next.flag) == 0) {
        next = next.follower();
      }
      return next;
    }

    private State follower() {
      return switch (this) {
        case FIXED -> EXTRA_SIZE;
        case EXTRA_SIZE -> EXTRA;
        case EXTRA -> NAME;
        case NAME -> COMMENT;
        case COMMENT -> CHECK;
        case CHECK, WHOLE -> WHOLE;
      };
    }
  }

  /// Takes the next byte of it: whether that was the last.
  ///
  /// @throws ZipException if it is none of such a head
  boolean take(int value) throws ZipException {
    int at = seen++;
    if (state != State.CHECK) {
      check.update(value);
    }
    switch (state) {
      case FIXED -> takeFixed(at, value);
      case EXTRA_SIZE -> {
        extra |= value << (8 * at);
        if (at == 1) {
          begin(extra == 0 ? State.EXTRA.next(flags) : State.EXTRA);
        }
      }
      case EXTRA -> {
        if (seen == extra) {
          begin(state.next(flags));
        }
      }
      case NAME, COMMENT -> {
        if (value == 0) {
          begin(state.next(flags));
        }
      }
      case CHECK -> takeCheck(at, value);
      case WHOLE -> throw new IllegalStateException("the head has ended");
    }
    return state == State.WHOLE;
  }

  private void takeFixed(int at, int value) throws ZipException {
    switch (at) {
      case 0 -> expect(value, FIRST);
      case 1 -> expect(value, SECOND);
      case 2 -> expect(value, DEFLATE);
      case 3 -> flags = value;
      case FIXED_SIZE - 1 -> begin(state.next(flags));
      default -> {} // when and where it was made
    }
  }

  private void takeCheck(int at, int value) throws ZipException {
    expect(value, (int) (check.getValue() >> (8 * at)) & 0xff);
    if (at == 1) {
      begin(state.next(flags));
    }
  }

  private static void expect(int value, int expected) throws ZipException {
    if (value != expected) {
      throw new ZipException("not in the gzip format");
    }
  }

  private void begin(State next) {
    state = next;
    seen = 0;
  }
}
