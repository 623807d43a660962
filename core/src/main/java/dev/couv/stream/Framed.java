// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.Failures;
import java.io.IOException;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A stream as frames in both directions.
///
/// ```java
/// try (var messages = Framed.open(Tcp.connect("localhost", 7000), new Messages())) {
///   messages.write(new Message(1, "hello"));
///   Message answer = messages.read();
/// }
/// ```
///
/// One coroutine reads, others may write: each frame as a whole, in the order they came.
public final class Framed<F> implements Iterable<F>, AutoCloseable {
  private final ByteStream stream;
  private final Framer<F> framer;
  private final ByteReader in;
  private final ByteWriter out;

  private Framed(ByteStream stream, Framer<F> framer) {
    this.stream = stream;
    this.framer = framer;
    this.in = ByteReader.of(stream);
    this.out = ByteWriter.of(stream);
  }

  /// The frames of that stream, which is its own from now on.
  public static <F> Framed<F> open(ByteStream stream, Framer<F> framer) {
    return new Framed<>(
        Objects.requireNonNull(stream, "stream"), Objects.requireNonNull(framer, "framer"));
  }

  /// How many bytes a frame that is read may have at most; returns itself. 1 MiB unless it is told.
  public Framed<F> limit(int bytes) {
    in.limit(bytes);
    return this;
  }

  /// Waits for the next frame; null at the end of the stream. Whoever leaves early has taken nothing.
  ///
  /// @throws java.io.EOFException if the stream ends in a frame
  /// @throws FrameTooLongException if a frame is longer than the limit
  public @Nullable F read() throws IOException {
    return in.read(framer);
  }

  /// Writes a frame, at the end of the turn at the latest. Waits only if the other side is far behind.
  ///
  /// @throws java.nio.channels.ClosedChannelException if it was closed
  public void write(F frame) throws IOException {
    if (isClosed()) {
      throw Failures.closed(stream);
    }
    out.write(framer, frame);
  }

  /// Waits until the kernel has all that was written.
  public void flush() throws IOException {
    out.flush();
  }

  /// Reads the bytes of the stream, for what is not a frame.
  public ByteReader reader() {
    return in;
  }

  /// Writes bytes to the stream, for what is not a frame.
  public ByteWriter writer() {
    return out;
  }

  /// Waits until the kernel has all that was written, and ends the stream for the other side. Reading goes on.
  public void shutdown() throws IOException {
    out.flush();
    stream.shutdown();
  }

  /// The frames that follow, each of which waits. A failure to read is an `UncheckedIOException`.
  @Override
  public Iterator<F> iterator() {
    return new Upcoming<>(stream, () -> in.peek() >= 0, this::read);
  }

  /// Whether it was closed by this side.
  public boolean isClosed() {
    return stream.isClosed();
  }

  /// Waits until the kernel has all that was written, and closes the stream. Does nothing the second time.
  ///
  /// @throws IOException if what was written could not be given to the kernel, and nobody was told so by a call before; it is closed all the
  ///     same
  @Override
  public void close() throws IOException {
    try {
      if (stream.isOpen()) {
        out.finish();
      }
    } finally {
      stream.close();
    }
  }

  @Override
  public String toString() {
    return "frames of " + stream;
  }
}
