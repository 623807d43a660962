// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Resumed;
import java.util.Objects;

/// A codec as one thing uses it: what it throws is told with the name of that thing, and what is
/// too large is refused.
final class Coding<T> {
  private final Codec<T> codec;
  private final String subject;
  private final int largest;

  /// @param subject what carries the values, for messages: `channel "jobs"`
  Coding(Codec<T> codec, String subject, int largest) {
    this.codec = Objects.requireNonNull(codec, "codec");
    this.subject = subject;
    this.largest = largest;
  }

  byte[] encode(T value) throws CodecException {
    Objects.requireNonNull(value, () -> subject + " cannot carry null");
    byte[] bytes;
    try {
      bytes = codec.encode(value);
    } catch (Throwable wrong) {
      throw refusal(subject + " cannot carry a " + value.getClass().getName(), wrong);
    }
    if (bytes == null) {
      throw new CodecException("the codec of " + subject + " made null of a value", null);
    }
    checkSize(bytes.length);
    return bytes;
  }

  T decode(byte[] bytes) throws CodecException {
    checkSize(bytes.length);
    T value;
    try {
      value = codec.decode(bytes);
    } catch (Throwable wrong) {
      throw refusal(bytes.length + " bytes of " + subject + " are no value", wrong);
    }
    if (value == null) {
      throw new CodecException("the codec of " + subject + " made null of bytes", null);
    }
    return value;
  }

  /// Whatever a codec throws is of its value alone, unless it is what ends the coroutine that called it, or the VM has no memory.
  /// Not by its own words alone, which are a user's and may throw themselves.
  private static CodecException refusal(String what, Throwable wrong) {
    switch (wrong) {
      case Cancelled leaving -> throw leaving;
      case Resumed leaving -> throw leaving;
      case OutOfMemoryError none -> throw none;
      default -> {}
    }
    return new CodecException(
        what + ": " + wrong.getClass().getName() + ": " + Thrown.message(wrong), wrong);
  }

  private void checkSize(int length) throws CodecException {
    if (length > largest) {
      throw new CodecException(
          subject + " carries values of at most " + largest + " bytes, not of " + length, null);
    }
  }

  @Override
  public String toString() {
    return subject;
  }
}
