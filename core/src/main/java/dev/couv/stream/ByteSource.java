// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Where bytes come from: the half of a [ByteStream] that is read. One coroutine reads it at a time.
public interface ByteSource {
  /// Waits for bytes and puts what has arrived into the buffer: their number, at least one, or -1 at
  /// the end of the stream, then and ever after; 0 only for a buffer without room.
  int read(ByteBuffer into) throws IOException;

  /// Waits for bytes and returns what has arrived, in a buffer that is the caller's; null at the end
  /// of the stream.
  default @Nullable ByteBuffer read() throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(1 << 13);
    return read(buffer) < 0 ? null : buffer.flip();
  }

  /// Fills the buffer.
  ///
  /// @throws EOFException if the stream ends first; what came before is in the buffer
  default void readFully(ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (read(into) < 0) {
        throw new EOFException(this + " ended " + into.remaining() + " bytes too early");
      }
    }
  }

  /// Puts bytes back in front of all that has not been read: the next read gets them. For who took
  /// more than it can use.
  void unread(ByteBuffer bytes) throws IOException;
}
