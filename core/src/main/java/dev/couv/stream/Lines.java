// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.UserBuffers;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
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
  public static final int DEFAULT_LIMIT = 1 << 20;

  private static final byte[] NOTHING = {};

  private final ByteStream stream;
  private final Charset charset;
  private int limit = DEFAULT_LIMIT;

  /// From `start` to `end`: what was read and not given. There is no end of a line before `searched`.
  private byte[] held = NOTHING;

  private int start;
  private int end;
  private int searched;

  Lines(ByteStream stream, Charset charset) {
    if (!Arrays.equals("\n".getBytes(charset), new byte[] {'\n'})) {
      throw new IllegalArgumentException(charset + " does not end a line with the byte 10");
    }
    this.stream = stream;
    this.charset = charset;
  }

  /// How many bytes a line may have at most.
  public Lines limit(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a line of " + bytes + " bytes");
    }
    limit = bytes;
    return this;
  }

  /// Waits for the next line; null at the end of the stream.
  ///
  /// @throws IOException if the line is longer than the limit; then it stays where it is
  public @Nullable String next() throws IOException {
    int length = find();
    if (length < 0) {
      return null;
    }
    int stop = start + length;
    int text = stop < end && length > 0 && held[stop - 1] == '\r' ? length - 1 : length;
    String line = new String(held, start, text, charset);
    take(Math.min(length + 1, end - start));
    return line;
  }

  /// Bytes behind the lines that were taken, as [ByteStream#read(ByteBuffer)] gives them.
  public int read(ByteBuffer into) throws IOException {
    UserBuffers.checkTarget(into);
    int count = Math.min(into.remaining(), end - start);
    if (count == 0) {
      return stream.read(into);
    }
    into.put(held, start, count);
    take(count);
    return count;
  }

  /// Fills the buffer with the bytes behind the lines that were taken.
  ///
  /// @throws EOFException if the stream ends first; what came before is in the buffer
  public void readFully(ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (read(into) < 0) {
        throw new EOFException(stream + " ended " + into.remaining() + " bytes too early");
      }
    }
  }

  /// The lines that follow, each of which waits. A failure to read is an `UncheckedIOException`.
  /// Whoever leaves the loop can go on later.
  @Override
  public Iterator<String> iterator() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        try {
          return find() >= 0;
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public String next() {
        try {
          String line = Lines.this.next();
          if (line == null) {
            throw new NoSuchElementException(stream + " has ended");
          }
          return line;
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  /// Waits until the next line is held, and returns its length without `\n`; -1 if there is none.
  private int find() throws IOException {
    while (true) {
      while (searched < end) {
        if (held[searched] == '\n') {
          return checked(searched - start);
        }
        searched++;
      }
      checked(end - start);
      ByteBuffer more = stream.read();
      if (more == null) {
        return start == end ? -1 : checked(end - start, end - start);
      }
      hold(more);
    }
  }

  /// With a `\r` at the end, which is not part of the line if `\n` follows.
  private int checked(int length) throws IOException {
    boolean more = length > 0 && held[start + length - 1] == '\r';
    return checked(length, more ? length - 1 : length);
  }

  private int checked(int length, int text) throws IOException {
    if (text > limit) {
      throw new IOException(stream + ": a line of more than " + limit + " bytes");
    }
    return length;
  }

  private void hold(ByteBuffer more) {
    int length = end - start;
    int count = more.remaining();
    if (length == 0 && more.hasArray()) {
      held = more.array(); // it is ours
      start = more.arrayOffset() + more.position();
      searched = start;
    } else {
      if (held.length - end < count) {
        byte[] larger = new byte[Math.max(length + count, 2 * length)];
        System.arraycopy(held, start, larger, 0, length);
        held = larger;
        searched -= start;
        start = 0;
      }
      more.get(held, start + length, count);
    }
    end = start + length + count;
  }

  private void take(int count) {
    start += count;
    searched = Math.max(searched, start);
    if (start == end) {
      held = NOTHING;
      start = 0;
      end = 0;
      searched = 0;
    }
  }

  @Override
  public String toString() {
    return "lines of " + stream;
  }
}
