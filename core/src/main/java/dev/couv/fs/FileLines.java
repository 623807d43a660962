// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.stream.Lines;
import dev.couv.uv.FileLayouts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// The lines of a file, read as they are asked for. A line ends with `\n` or `\r\n`, which are not part
/// of it, or with the file. Bytes that are no text become U+FFFD.
///
/// For one user at a time; closing it closes the file.
public final class FileLines implements Iterable<String>, AutoCloseable {
  private final OpenFile file;
  private final Pull.Source<String> source;

  private FileLines(OpenFile file, Pull.Source<String> source) {
    this.file = file;
    this.source = source;
  }

  static FileLines open(Way way, Path path) throws IOException {
    OpenFile file = OpenFile.open(way, path, FileLayouts.UV_FS_O_RDONLY, 0);
    if (way == Way.NOW) {
      return new FileLines(file, blocking(file)::readLine);
    }
    Lines lines = file.lines();
    return new FileLines(file, lines::next);
  }

  private static BufferedReader blocking(OpenFile file) {
    InputStream bytes =
        new InputStream() {
          private final byte[] one = new byte[1];

          @Override
          public int read() throws IOException {
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
          }

          @Override
          public int read(byte[] into, int offset, int length) throws IOException {
            return file.readNow(ByteBuffer.wrap(into, offset, length));
          }
        };
    return new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8));
  }

  /// The next line; null at the end of the file. Waits for it, or blocks the thread if it was opened by
  /// [Fs#linesNow].
  public @Nullable String next() throws IOException {
    return source.next();
  }

  /// Waits likewise. A failure to read is an `UncheckedIOException`.
  @Override
  public Iterator<String> iterator() {
    return new Pull<>(this::next);
  }

  @Override
  public void close() {
    file.close();
  }

  @Override
  public String toString() {
    return "the lines of " + file;
  }
}
