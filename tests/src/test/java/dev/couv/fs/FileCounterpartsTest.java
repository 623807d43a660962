// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Needed;
import dev.couv.testing.Behaviour;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What other programs say about the same files, and files that are large in some way.
class FileCounterpartsTest {
  @TempDir Path dir;

  private static byte[] output(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    byte[] bytes = process.getInputStream().readAllBytes();
    assertTrue(process.waitFor(240, TimeUnit.SECONDS), "it hangs");
    assertEquals(0, process.exitValue(), () -> String.join(" ", command));
    return bytes;
  }

  private static String text(String... command) throws Exception {
    return new String(output(command)).strip();
  }

  @ParameterizedTest
  @EnumSource
  @Behaviour({"FI28", "FI29"})
  void everyFieldIsTheOneThatStatPrints(BothWays way) throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "text");
    Path link = Files.createSymbolicLink(dir.resolve("link"), file);
    Files.createLink(dir.resolve("second"), file);
    List<Path> paths = List.of(file, link, dir, Path.of("/dev/null"), Path.of("/proc/version"));
    way.run(
        () -> {
          for (Path path : paths) {
            FileInfo info = way.fs("infoOfLink", path);
            assertEquals(stat(path), fields(info), path::toString);
            assertEquals(info, way.<FileInfo>fs("infoOfLink", path), "the same again");
          }
          OpenFile open = way.fs("open", file);
          try (open) {
            FileInfo byPath = way.fs("info", file);
            assertEquals(byPath, way.<FileInfo>file(open, "info"));
            assertEquals(byPath, way.<FileInfo>fs("info", link));
          }
        });
  }

  /// Of those that `stat` prints as it reads them.
  private static List<Object> stat(Path path) throws Exception {
    String[] words =
        text("stat", "-c", "%d %f %h %u %g %i %s %o %b %.9X %.9Y %.9Z %.9W %t %T", path.toString())
            .split(" ");
    List<Object> fields = new ArrayList<>();
    fields.add(Long.parseLong(words[0]));
    fields.add(Long.parseLong(words[1], 16));
    for (int i = 2; i < 9; i++) {
      fields.add(Long.parseLong(words[i]));
    }
    for (int i = 9; i < 12; i++) {
      fields.add(instant(words[i]));
    }
    fields.add(words[12].startsWith("0.") || words[12].equals("0") ? null : instant(words[12]));
    fields.add(Long.parseLong(words[13], 16));
    fields.add(Long.parseLong(words[14], 16));
    return fields;
  }

  private static Instant instant(String seconds) {
    BigDecimal number = new BigDecimal(seconds);
    return Instant.ofEpochSecond(
        number.longValue(), number.remainder(BigDecimal.ONE).movePointRight(9).longValue());
  }

  private static List<Object> fields(FileInfo info) {
    List<Object> fields = new ArrayList<>();
    fields.add(info.device());
    fields.add((long) info.mode());
    fields.addAll(List.of(info.links(), info.uid(), info.gid(), info.inode(), info.size()));
    fields.addAll(List.of(info.blockBytes(), info.blocks()));
    fields.addAll(List.of(info.accessed(), info.modified(), info.changed()));
    fields.add(info.created().getEpochSecond() == 0 ? null : info.created());
    // As glibc packs them.
    long device = info.specialDevice();
    fields.add((device >>> 8 & 0xFFF) | (device >>> 32 & 0xFFFFF000L));
    fields.add((device & 0xFF) | (device >>> 12 & 0xFFFFFF00L));
    return fields;
  }

  @ParameterizedTest
  @EnumSource
  void aWalkSeesWhatFindSees(BothWays way) throws Exception {
    Random random = new Random(7);
    List<Path> directories = new ArrayList<>(List.of(dir));
    for (int i = 0; i < 300; i++) {
      Path parent = directories.get(random.nextInt(directories.size()));
      Path made = parent.resolve("näme " + i);
      switch (random.nextInt(4)) {
        case 0 -> directories.add(Files.createDirectory(made));
        case 1 -> Files.createSymbolicLink(made, dir);
        default -> Files.createFile(made);
      }
    }
    TreeSet<String> seen = new TreeSet<>();
    way.run(
        () -> {
          ArrayDeque<Path> left = new ArrayDeque<>(List.of(dir));
          while (!left.isEmpty()) {
            Listing entries = way.fs("list", left.poll());
            try (entries) {
              for (DirEntry entry : entries) {
                char type = entry.isDirectory() ? 'd' : entry.isSymbolicLink() ? 'l' : 'f';
                seen.add(type + " " + entry.path());
                if (entry.isDirectory()) {
                  left.add(entry.path());
                }
              }
            }
          }
        });

    byte[] found =
        output(Needed.program("find"), dir.toString(), "-mindepth", "1", "-printf", "%y %p\\n");
    assertEquals(new TreeSet<>(new String(found, "UTF-8").lines().toList()), seen);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsWrittenIsWhatOtherProgramsRead(BothWays way) throws Exception {
    byte[] bytes = new byte[3_000_001];
    new Random(3).nextBytes(bytes);
    Path file = dir.resolve("file");
    Path copy = dir.resolve("copy");
    way.run(
        () -> {
          way.fs("writeBytes", file, bytes);
          way.fs("copy", file, copy);
          assertArrayEquals(bytes, way.<byte[]>fs("readBytes", copy));
        });

    assertArrayEquals(bytes, output("cat", file.toString()));
    String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    assertEquals(hash, text("sha256sum", copy.toString()).split(" ")[0]);
  }

  @ParameterizedTest
  @EnumSource
  void aFileOfMoreThanFourGibibytesIsUsedBeyondThem(BothWays way) throws Exception {
    Path file = dir.resolve("sparse");
    long far = 5L << 30;
    way.run(
        () -> {
          OpenFile open =
              way.fs(
                  "open",
                  file,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE,
                  StandardOpenOption.CREATE);
          try (open) {
            way.file(open, "resize", far);
            way.file(open, "write", ByteBuffer.wrap("end".getBytes()), far);
            ByteBuffer read = ByteBuffer.allocate(10);
            assertEquals(7, (int) way.file(open, "read", read, far - 4));
            assertEquals("end", new String(read.array(), 4, 3));
            assertEquals(far + 3, (long) way.file(open, "size"));
          }
        });

    assertEquals(Long.toString(far + 3), text("stat", "-c", "%s", file.toString()));
    assertEquals("end", text("tail", "-c", "3", file.toString()));
  }

  @Test
  @Tag("storm")
  void aHundredThousandEntriesAreListedInTime() throws Exception {
    Path many = Files.createDirectory(dir.resolve("many"));
    output(
        "python3",
        "-c",
        "import os,sys\nos.chdir(sys.argv[1])\nfor i in range(100000): os.mknod('f%d' % i)",
        many.toString());
    for (BothWays way : BothWays.values()) {
      way.run(
          () -> {
            Listing entries = way.fs("list", many);
            int count = 0;
            try (entries) {
              for (DirEntry entry; (entry = entries.next()) != null; ) {
                count += entry.isRegularFile() ? 1 : 0;
              }
            }
            assertEquals(100_000, count);
          });
    }
    output("rm", "-r", many.toString());
  }
}
