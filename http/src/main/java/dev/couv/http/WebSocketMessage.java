// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A message that came over a [WebSocket]: text or bytes.
///
/// ```java
/// switch (socket.receive()) {
///   case WebSocketMessage.Text(String text) -> …
///   case WebSocketMessage.Binary(byte[] bytes) -> …
///   case null -> … // the other side has closed
/// }
/// ```
public sealed interface WebSocketMessage {
  /// Its text.
  ///
  /// @throws IllegalStateException if it is one of bytes
  String text();

  /// Its bytes; those of a text are its UTF-8.
  byte[] bytes();

  /// Whether it is text.
  default boolean isText() {
    return this instanceof Text;
  }

  /// A message of text.
  record Text(String text) implements WebSocketMessage {
    @Override
    public byte[] bytes() {
      return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /// A message of bytes. The array is the receiver's.
  @SuppressWarnings("ArrayRecordComponent") // compared by what is in it, see below
  record Binary(byte[] bytes) implements WebSocketMessage {
    @Override
    public String text() {
      throw new IllegalStateException("a message of " + bytes.length + " bytes, not of text");
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Binary that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
      return bytes.length + " bytes";
    }
  }
}
