// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Loop;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `Fs.copy` makes of a file, beside what the system's own `cp` makes of it. The table in
/// `docs/internals/files.md` is what this test sees.
class CopyLikeCpTest {
  private static final FileTime OLD = FileTime.fromMillis(1_000_000_000_123L);
  private static final int STRANGER = 12345;

  @TempDir Path dir;

  /// Makes `from`, and `to` if that is there already.
  @FunctionalInterface
  private interface Scene {
    void set(Path from, Path to) throws IOException;
  }

  /// Says what became of `to`.
  @FunctionalInterface
  private interface Sight {
    String of(Path from, Path to) throws IOException;
  }

  private record Row(String name, boolean needsRoot, Scene scene, Sight sight) {}

  private static Row row(String name, Scene scene, Sight sight) {
    return new Row(name, false, scene, sight);
  }

  private static final List<Row> ROWS =
      List.of(
          row("permissions of a new file", (from, to) -> file(from, 0777), CopyLikeCpTest::mode),
          row("special bits", (from, to) -> file(from, 07755), CopyLikeCpTest::mode),
          new Row(
              "owner and special bits of a stranger's file, copied by root",
              true,
              (from, to) -> {
                file(from, 0755);
                Fs.chownNow(from, STRANGER, STRANGER);
                Fs.chmodNow(from, 06755);
              },
              (from, to) ->
                  (Fs.infoNow(to).uid() == STRANGER ? "the stranger's, " : "root's, ")
                      + mode(from, to)),
          row(
              "permissions of a file that is there",
              (from, to) -> {
                file(from, 0755);
                file(to, 0640);
              },
              (from, to) -> (Fs.infoNow(to).mode() & 07777) == 0640 ? "its own" : mode(from, to)),
          row("time of the last change", (from, to) -> file(from, 0644), CopyLikeCpTest::time),
          row(
              "holes",
              (from, to) -> {
                try (RandomAccessFile sparse = new RandomAccessFile(from.toFile(), "rw")) {
                  sparse.seek(9_000_000);
                  sparse.write('x');
                  sparse.setLength(10_000_000);
                }
              },
              (from, to) ->
                  Files.size(to) != 10_000_000 || Files.mismatch(from, to) >= 0
                      ? "wrong bytes"
                      : Fs.infoNow(to).blocks() < 1_000 ? "kept" : "filled"),
          row(
              "a link to a file",
              (from, to) -> Files.createSymbolicLink(from, file(from.resolveSibling("real"), 0644)),
              CopyLikeCpTest::kind),
          row(
              "a link that leads nowhere",
              (from, to) -> Files.createSymbolicLink(from, Path.of("nowhere")),
              CopyLikeCpTest::kind),
          row(
              "a link, onto a file",
              (from, to) -> {
                Files.createSymbolicLink(from, file(from.resolveSibling("real"), 0644));
                Files.writeString(to, "old");
              },
              CopyLikeCpTest::kind),
          row(
              "a link, onto what it leads to",
              (from, to) -> Files.createSymbolicLink(from, file(to, 0644)),
              (from, to) -> Files.exists(to) ? Files.readString(to) : "a link to itself"),
          row(
              "onto a link to a file",
              (from, to) -> {
                file(from, 0644);
                Files.createSymbolicLink(to, Files.writeString(to.resolveSibling("other"), "old"));
              },
              (from, to) ->
                  !Files.isSymbolicLink(to)
                      ? "the link is replaced"
                      : Files.readString(to.resolveSibling("other")).equals("text")
                          ? "the file is written to"
                          : "nothing"),
          row(
              "onto a link that leads nowhere",
              (from, to) -> {
                file(from, 0644);
                Files.createSymbolicLink(to, to.resolveSibling("nowhere"));
              },
              (from, to) -> Files.exists(to) ? "the file is made" : "nothing"),
          row(
              "onto one of two names",
              (from, to) -> {
                file(from, 0644);
                Files.createLink(to, Files.writeString(to.resolveSibling("second"), "old"));
              },
              (from, to) ->
                  Files.readString(to.resolveSibling("second")).equals("text")
                      ? "both have the bytes"
                      : "the other keeps its bytes"),
          row(
              "onto itself",
              (from, to) -> Files.createLink(to, file(from, 0644)),
              (from, to) -> Files.readString(from)),
          row(
              "a directory",
              (from, to) -> file(Files.createDirectory(from).resolve("file"), 0644),
              CopyLikeCpTest::kind));

  private static Path file(Path path, int mode) throws IOException {
    Files.writeString(path, "text");
    Fs.chmodNow(path, mode);
    Files.setLastModifiedTime(path, OLD);
    return path;
  }

  private static String mode(Path from, Path to) throws IOException {
    int source = Fs.infoNow(from).mode() & 07777;
    int copy = Fs.infoNow(to).mode() & 07777;
    if (copy == (source & 0777 & ~umask()) && copy != source) {
      return "the source's nine, less the mask";
    }
    return copy == source ? "the source's" : Integer.toOctalString(copy);
  }

  private static int umask() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("Umask:")) {
        return Integer.parseInt(line.substring(6).strip(), 8);
      }
    }
    throw new AssertionError("no mask");
  }

  private static String time(Path from, Path to) throws IOException {
    return Files.getLastModifiedTime(to).equals(OLD) ? "the source's" : "now";
  }

  private static String kind(Path from, Path to) throws IOException {
    if (!Files.exists(to, LinkOption.NOFOLLOW_LINKS)) {
      return "nothing";
    }
    return Files.isSymbolicLink(to)
        ? "a link"
        : Files.isDirectory(to) ? "all that is in it" : "a file";
  }

  /// Copies `from` to `to`, or fails.
  @FunctionalInterface
  private interface Copier {
    void copy(Path from, Path to) throws Exception;
  }

  private static Copier cp(String... options) {
    return (from, to) -> {
      List<String> command = new ArrayList<>(List.of("cp"));
      command.addAll(List.of(options));
      command.addAll(List.of(from.toString(), to.toString()));
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      assertTrue(process.waitFor(240, TimeUnit.SECONDS), "it hangs");
      if (process.exitValue() != 0) {
        throw new IOException(command.toString());
      }
    };
  }

  private static Copier awaited(CopyOptions options) {
    return (from, to) -> Loop.run(() -> Fs.copy(from, to, options));
  }

  private static final List<Copier> COPIERS =
      List.of(
          cp(),
          awaited(CopyOptions.DEFAULT),
          cp("-a"),
          awaited(CopyOptions.DEFAULT.withPreserve(true)));

  private String cell(Row row, Copier copier, String name) throws Exception {
    Path place = Files.createDirectory(dir.resolve(name));
    Path from = place.resolve("from");
    Path to = place.resolve("to");
    row.scene().set(from, to);
    String refused = "";
    try {
      copier.copy(from, to);
    } catch (IOException e) {
      refused = "refused: ";
    }
    return refused + row.sight().of(from, to);
  }

  @Test
  void theTableIsWhatBothMakeOfAFile() throws Exception {
    Path page = Path.of(System.getProperty("couv.basedir", ".."), "docs/internals/files.md");
    List<String> written = Files.readAllLines(page);
    boolean root = Fs.infoNow(Path.of("/proc/self")).uid() == 0;
    int number = 0;
    List<String> missing = new ArrayList<>();
    for (Row row : ROWS) {
      if (!row.needsRoot() || root) {
        List<String> cells = new ArrayList<>(List.of(row.name()));
        for (Copier copier : COPIERS) {
          cells.add(cell(row, copier, "place" + number++));
        }
        String line = "| " + String.join(" | ", cells) + " |";
        if (!written.contains(line)) {
          missing.add(line);
        }
      }
    }

    assertEquals("", String.join("\n", missing), page + " must say this");
  }

  /// The blocking ones are the same code, but for how each step is made.
  @Test
  void theBlockingCopyMakesTheSame() throws Exception {
    for (boolean preserve : new boolean[] {false, true}) {
      CopyOptions options = CopyOptions.DEFAULT.withPreserve(preserve);
      Copier blocking = (from, to) -> Fs.copyNow(from, to, options);
      boolean root = Fs.infoNow(Path.of("/proc/self")).uid() == 0;
      for (Row row : ROWS) {
        if (!row.needsRoot() || root) {
          String name = row.name().replace(' ', '-') + preserve;
          assertEquals(
              cell(row, awaited(options), name), cell(row, blocking, name + "-now"), row.name());
        }
      }
    }
  }
}
