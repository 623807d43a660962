// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import java.lang.reflect.Type;
import java.util.Objects;

/// Makes values into bytes and back. Used by one loop at a time or by many: it should have no
/// state.
///
/// What it throws is told to whoever caused it, as the cause of a [CodecException]: to the sender,
/// if a value cannot be encoded; where bytes cannot be decoded, see the thing that carries them.
public interface Codec<T> {
  /// The value as bytes, which are the caller's from then on.
  byte[] encode(T value) throws Exception;

  /// The value that the bytes are.
  T decode(byte[] bytes) throws Exception;

  /// Bytes as they are. They are not copied.
  static Codec<byte[]> bytes() {
    return Plain.BYTES;
  }

  /// Text in UTF-8; bytes that are not are refused, and so is half of a surrogate pair.
  static Codec<String> text() {
    return Plain.TEXT;
  }

  /// JSON for values of a class: a record, a number, a string, an enum, an array. See [Json] for
  /// what it refuses.
  static <T> Codec<T> json(Class<T> type) {
    return new Json<>(Objects.requireNonNull(type, "type"));
  }

  /// JSON for a type that has parameters, such as that of a field or the return type of a method.
  static <T> Codec<T> json(Type type) {
    return new Json<>(Objects.requireNonNull(type, "type"));
  }
}
