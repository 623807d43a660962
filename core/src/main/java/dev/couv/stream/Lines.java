// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.UserBuffers;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// The text of a stream, line by line. A line ends with `\n` or `\r\n`, which are not part of it, or
/// with the stream. Bytes that are no text in the encoding become U+FFFD.
///
/// Leaving [#next] early loses nothing: what came of the line stays for the next call. While nobody
/// waits, only that much is held.
///
/// Bytes that are not lines (the body behind a header) are to be read here, too, by
/// [#read(ByteBuffer)]: they may have come together with a line.
public final class Lines implements Iterable<String> {
  /// What a line may have unless [#limit] says otherwise: a peer that never ends a line must not
  /// fill the memory.
  public static final int DEFAULT_LIMIT = ByteReader.DEFAULT_LIMIT;

  private final ByteReader in;
  private final ByteSource stream;
  private final Charset charset;

  Lines(ByteSource stream, Charset charset) {
    if (!Arrays.equals("\n".getBytes(charset), new byte[] {'\n'})) {
      throw new IllegalArgumentException(charset + " does not end a line with the byte 10");
    }
    this.in = ByteReader.of(stream);
    this.stream = stream;
    this.charset = charset;
  }

  /// How many bytes a line may have at most.
  public Lines limit(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a line of " + bytes + " bytes");
    }
    in.limit(bytes);
    return this;
  }

  /// Waits for the next line; null at the end of the stream.
  ///
  /// @throws IOException if the line is longer than the limit; then it stays where it is
  public @Nullable String next() throws IOException {
    return in.readLine(charset);
  }

  /// Bytes behind the lines that were taken, as [ByteSource#read(ByteBuffer)] gives them.
  public int read(ByteBuffer into) throws IOException {
    UserBuffers.checkTarget(into);
    return in.read(into);
  }

  /// Fills the buffer with the bytes behind the lines that were taken.
  ///
  /// @throws EOFException if the stream ends first; what came before is in the buffer
  public void readFully(ByteBuffer into) throws IOException {
    in.readFully(into);
  }

  /// The lines that follow, each of which waits. A failure to read is an `UncheckedIOException`.
  /// Whoever leaves the loop can go on later.
  @Override
  public Iterator<String> iterator() {
    return new Upcoming<>(stream, () -> in.awaitLine() >= 0, this::next);
  }

  @Override
  public String toString() {
    return "lines of " + stream;
  }
}
