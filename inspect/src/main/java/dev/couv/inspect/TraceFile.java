// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/// A timeline as one page that needs nothing else: what it shows is inside, and so is what shows it.
public final class TraceFile {
  private static final String PLACE = "/*DATA*/";

  private final Path file;
  private final Path draft;
  private final TraceRecorder recorder;

  private TraceFile(Path file, Path draft, TraceRecorder recorder) {
    this.file = file;
    this.draft = draft;
    this.recorder = recorder;
  }

  /// Begins to record this process: before its first loop. A file that is there stays until this one is written.
  ///
  /// @throws IOException if it could not be written
  public static TraceFile begin(Path file, String title) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a directory");
    }
    Path draft = file.resolveSibling(file.getFileName() + ".part");
    Files.write(draft, new byte[0]);
    Files.delete(draft); // it could be written; nothing is left of it if the program is killed
    return new TraceFile(file, draft, TraceRecorder.install(title));
  }

  /// Writes it, in place at once.
  public void write() throws IOException {
    try (InputStream in = TraceFile.class.getResourceAsStream("page/trace.html")) {
      String page = new String(Objects.requireNonNull(in, "trace.html").readAllBytes(), UTF_8);
      int place = page.indexOf(PLACE);
      String whole =
          page.substring(0, place) + recorder.json() + page.substring(place + PLACE.length());
      Files.writeString(draft, whole);
    }
    Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public String toString() {
    return recorder + " in " + file;
  }
}
