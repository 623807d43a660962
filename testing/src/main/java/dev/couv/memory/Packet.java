// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What goes over a connection, one way.
sealed interface Packet {
  /// Asks for the connection.
  record Syn() implements Packet {}

  /// It is made.
  record Made() implements Packet {}

  /// Bytes, and perhaps a socket that is passed with the first of them.
  record Data(ByteBuffer bytes, @Nullable Passable passed) implements Packet {}

  /// So many were read: there is room for as many.
  record Room(int bytes) implements Packet {}

  /// Nothing follows.
  record Fin() implements Packet {}

  /// The connection is no more.
  record Reset() implements Packet {}

  /// For the record.
  default String kind() {
    return getClass().getSimpleName();
  }

  /// What stands for its bytes.
  default int mark() {
    return this instanceof Data data ? data.bytes().hashCode() : 0;
  }

  default int length() {
    return this instanceof Data data ? data.bytes().remaining() : 0;
  }
}
