// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What peers of a channel or a pool say to each other: a word, a number, and what comes with it.
///
/// @param count how many it is about, where it is about several
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record Frame(Word word, int count, byte[] body) {
  private static final int HEAD = 1 + Integer.BYTES;
  private static final byte[] EMPTY = {};

  /// What is said. Others know each by its place here: new ones come last.
  @SuppressWarnings("EnumOrdinal")
  enum Word {
    /// To all: values wait here.
    OFFER,
    /// To all: receivers wait here.
    WANT,
    /// To one who offers: so many, please.
    CLAIM,
    /// To one who claims: here is one.
    VALUE,
    /// To one who claims: so many there are not.
    NONE,
    /// To one who gave: a receiver has it.
    TAKEN,
    /// To one who gave: nobody wants it any more.
    REFUSED,
    /// To one who gave: it cannot be decoded, and why.
    GARBLED,
    /// Of a task: it is being worked on.
    WORKING,
    /// Of a task: its result.
    RESULT,
    /// Of a task: what it threw.
    FAILURE,
    /// Of a task: nobody wants it any more.
    CANCEL;

    private static final Word[] ALL = values();

    private byte number() {
      return (byte) ordinal();
    }
  }

  static byte[] of(Word word) {
    return of(word, 0, EMPTY);
  }

  static byte[] of(Word word, int count) {
    return of(word, count, EMPTY);
  }

  static byte[] of(Word word, int count, byte[] body) {
    return ByteBuffer.allocate(HEAD + body.length)
        .put(word.number())
        .putInt(count)
        .put(body)
        .array();
  }

  /// Null if these are no words of a peer.
  static @Nullable Frame read(byte[] data) {
    if (data.length < HEAD || data[0] < 0 || data[0] >= Word.ALL.length) {
      return null;
    }
    int count = ByteBuffer.wrap(data).getInt(1);
    return count < 0
        ? null
        : new Frame(Word.ALL[data[0]], count, Arrays.copyOfRange(data, HEAD, data.length));
  }
}
