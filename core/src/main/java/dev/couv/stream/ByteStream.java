// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// Bytes in both directions: a socket, a terminal, a child's standard streams.
///
/// One coroutine may read while another writes. A second reader gets `BusyException`; writers take
/// turns in the order they came.
///
/// Cancelling a read loses nothing: what has arrived stays for the next one. Cancelling a write stops
/// it at a byte boundary, and the positions of the buffers tell how far it came. Closing wakes
/// whoever waits with an `AsynchronousCloseException`; using it afterwards is a
/// `ClosedChannelException`. Both are an `IOException`, as all that can happen to a stream.
public interface ByteStream extends ByteSource, ByteSink, AutoCloseable {
  /// Everything until the end of the stream.
  ///
  /// @throws IOException if that is more than `limit` bytes. Then nothing is taken: the next read gets it;
  ///     so it is if this is left early
  default byte[] readAll(long limit) throws IOException {
    return Remainder.all(this, limit);
  }

  /// Waits for bytes and lends what has arrived to the body, in a buffer that the streams of a loop share: where bytes are looked at,
  /// or passed on, that costs no memory and no copy. False at the end of the stream.
  ///
  /// ```java
  /// while (stream.borrow(bytes -> stream.write(bytes))) {}
  /// ```
  ///
  /// Only the calling coroutine can use the buffer, and only until the body returns; others who read a stream of the system's meanwhile get a
  /// `BusyException`. Bytes are used by moving the buffer's position. What the body leaves goes back to the stream, also if it throws or is
  /// cancelled, and comes first, at once, in the next read: who needs more than what came is better served by a [ByteReader].
  /// A stream that has its bytes from somewhere else, as TLS has them, lends what its [#read] gives.
  default <E extends Exception> boolean borrow(Borrower<E> body) throws IOException, E {
    return Remainder.borrow(this, Objects.requireNonNull(body, "borrow needs a body"));
  }

  /// Writes all of the array.
  default void write(byte[] from) throws IOException {
    write(ByteBuffer.wrap(from));
  }

  /// Writes all of the text, in UTF-8.
  default void write(String text) throws IOException {
    write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  /// Ends the stream for the other side, after all that was written before. Reading goes on.
  void shutdown() throws IOException;

  /// Whether it was not closed yet by this side.
  boolean isOpen();

  /// Whether it was closed by this side.
  default boolean isClosed() {
    return !isOpen();
  }

  /// Bytes that were accepted for writing and are not with the kernel yet.
  long pending() throws IOException;

  /// Closes it and wakes whoever waits. Does nothing the second time.
  @Override
  void close();

  /// Copies until the end of the first stream, and returns how many bytes that was. Reads no faster
  /// than the second stream takes them, and holds memory only for what is on its way.
  ///
  /// Whoever leaves it early loses nothing: what was read and not written goes back to the first
  /// stream.
  static long copy(ByteStream from, ByteStream to) throws IOException {
    return Remainder.copy(from, to, Long.MAX_VALUE);
  }

  /// Copies until the end of the first stream, but no more than `limit` bytes: what follows them stays to be read. How
  /// many that was; if it is less than the limit, the first stream has ended.
  ///
  /// Whoever leaves it early loses nothing: what was read and not written goes back to the first
  /// stream.
  static long copy(ByteStream from, ByteStream to, long limit) throws IOException {
    return Remainder.copy(from, to, limit);
  }

  /// What is read from it, for code that knows only `InputStream`. Its calls wait as those of the
  /// stream do, in a coroutine. Closing it closes the stream.
  default InputStream input() {
    return new StreamInput(this);
  }

  /// What is written to it, for code that knows only `OutputStream`. Every write goes out at once: put
  /// a `BufferedOutputStream` around it for many small ones. Closing it closes the stream.
  default OutputStream output() {
    return new StreamOutput(this);
  }

  /// What is read from it, as lines of UTF-8 text. To be asked for once: bytes that came with a line
  /// and belong to the next are held there.
  default Lines lines() {
    return lines(StandardCharsets.UTF_8);
  }

  /// What is read from it, as lines of text in that encoding. To be asked for once: bytes that came with a line
  /// and belong to the next are held there.
  ///
  /// @throws IllegalArgumentException if the end of a line is not the byte 10 in it
  default Lines lines(Charset charset) {
    return new Lines(this, charset);
  }
}
