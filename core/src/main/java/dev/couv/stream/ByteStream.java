// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.error.BrokenException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Bytes in both directions: a socket, a terminal, a child's standard streams.
///
/// One coroutine may read while another writes. A second reader gets `BusyException`; writers take
/// turns in the order they came.
///
/// Cancelling a read loses nothing: what has arrived stays for the next one. Cancelling a write stops
/// it at a byte boundary, and the positions of the buffers tell how far it came. Closing wakes
/// whoever waits with a `ClosedException`.
public interface ByteStream extends AutoCloseable {
  /// Waits for bytes and puts what has arrived into the buffer: their number, at least one, or -1 at
  /// the end of the stream, then and ever after; 0 only for a buffer without room.
  int read(ByteBuffer into) throws IOException;

  /// Waits for bytes and returns what has arrived, in a buffer that is the caller's; null at the end
  /// of the stream.
  @Nullable ByteBuffer read() throws IOException;

  /// Fills the buffer.
  ///
  /// @throws BrokenException if the stream ends first; what came before is in the buffer
  default void readFully(ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (read(into) < 0) {
        throw new BrokenException(this + " ended " + into.remaining() + " bytes too early");
      }
    }
  }

  /// Writes all of the buffers, in order; returns when the kernel has it.
  void write(ByteBuffer... from) throws IOException;

  /// Writes what the kernel takes at once, and returns how many bytes that was; 0 if a writer is
  /// waiting.
  int tryWrite(ByteBuffer from) throws IOException;

  /// Ends the stream for the other side, after all that was written before. Reading goes on.
  void shutdown() throws IOException;

  boolean isOpen();

  /// Bytes that were accepted for writing and are not with the kernel yet.
  long pending();

  /// Closes it and wakes whoever waits. Does nothing the second time.
  @Override
  void close();

  /// Copies until the end of the first stream, and returns how many bytes that was. Reads no faster
  /// than the second stream takes them.
  static long copy(ByteStream from, ByteStream to) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    long copied = 0;
    while (from.read(buffer.clear()) >= 0) {
      copied += buffer.flip().remaining();
      to.write(buffer);
    }
    return copied;
  }
}
