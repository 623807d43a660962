// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.stream.Lines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// The lines of a file, read as they are asked for. A line ends with `\n` or `\r\n`, which are not part
/// of it, or with the file. Bytes that are no text become U+FFFD.
///
/// For one user at a time; closing it closes the file, and so does a loop that comes to its end.
public final class FileLines implements Iterable<String>, AutoCloseable {
  /// A file is not a peer that may want to fill the memory; what has no lines at all ends here.
  private static final int LONGEST = 1 << 30;

  private final OpenFile file;
  private final Lines lines;

  private FileLines(OpenFile file, Lines lines) {
    this.file = file;
    this.lines = lines;
  }

  static FileLines open(Way way, Path path) throws IOException {
    OpenFile file = OpenFile.toRead(way, path);
    return new FileLines(file, file.lines().limit(LONGEST));
  }

  /// The next line; null at the end of the file. Waits for it, or blocks the thread if it was opened by
  /// [Fs#linesNow].
  public @Nullable String next() throws IOException {
    return lines.next();
  }

  /// The lines that are left, each waited for as [#next] does. A failure to read is an `UncheckedIOException`. Its end
  /// closes the file.
  @Override
  public Iterator<String> iterator() {
    return new Pull<>(this::next, this::close);
  }

  /// Whether it is closed.
  public boolean isClosed() {
    return file.isClosed();
  }

  /// Closes the file.
  @Override
  public void close() {
    file.close();
  }

  @Override
  public String toString() {
    return "the lines of " + file;
  }
}
