// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.FreshJvm;
import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A disk gets full, in a program of its own: a small file system in memory if this process may mount one,
/// else a limit on the size of files. What was reported written is there, and no more.
@Tag("jvm")
class FullDiskTest {
  private static final String MOUNT = "mount -t tmpfs -o size=256k none \"$1\" && ";

  /// In half kilobytes. The VM has a file of its own, of 32 KiB.
  private static final String LIMIT = "ulimit -f 256 && ";

  @TempDir Path dir;

  @Test
  void whatWasReportedWrittenIsThereAndWhatFailsLeavesNoHalfCopy() throws Exception {
    Path disk = Files.createDirectory(dir.resolve("disk"));
    Path source = Files.write(dir.resolve("source"), Filling.pattern(1 << 20));
    boolean mounts =
        run(List.of("unshare", "-m", "sh", "-c", MOUNT + "true", "sh", disk.toString())) == 0;
    List<String> command = new ArrayList<>();
    if (mounts) {
      command.addAll(List.of("unshare", "-m"));
    }
    command.addAll(List.of("sh", "-c", (mounts ? MOUNT : LIMIT) + "shift && exec \"$@\"", "sh"));
    command.add(disk.toString());
    command.addAll(FreshJvm.command(Filling.class));
    command.addAll(List.of(disk.toString(), source.toString()));

    assertEquals(0, run(command), () -> mounts ? "with a small disk" : "with a limit");

    List<String> printed = Files.readAllLines(dir.resolve("out"));
    String code = mounts ? "ENOSPC" : "EFBIG";
    assertEquals(
        List.of(
            code + " write, and all that was reported",
            code + " writeNow, and all that was reported",
            code + " write of one large piece, and all that was reported",
            code + " append, and all that was reported",
            code + " write with an offset, and all that was reported",
            code + " writeString",
            code + " copy, and no half",
            code + " copyNow, and no half",
            "fine"),
        printed);
  }

  private int run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(dir.resolve("out").toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertTrue(process.waitFor(240, TimeUnit.SECONDS), () -> "it hangs: " + command);
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  /// Writes in every way until it cannot, and compares what it was told with what is there.
  static final class Filling {
    private static final StandardOpenOption[] WRITING = {
      StandardOpenOption.CREATE, StandardOpenOption.WRITE
    };

    private static final byte[] CONTENT = pattern(1 << 20);

    private Filling() {}

    /// Of which no stretch is like another.
    static byte[] pattern(int length) {
      byte[] bytes = new byte[length];
      new java.util.Random(length).nextBytes(bytes);
      return bytes;
    }

    public static void main(String[] arguments) throws Exception {
      Path file = Path.of(arguments[0], "file");
      Path source = Path.of(arguments[1]);
      Loop.run(
          () -> {
            fill(file, "write", 5000, OpenFile::write, WRITING);
            fill(file, "writeNow", 5000, OpenFile::writeNow, WRITING);
            fill(file, "write of one large piece", CONTENT.length, OpenFile::write, WRITING);
            fill(
                file,
                "append",
                7000,
                OpenFile::write,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
            fill(
                file,
                "write with an offset",
                7000,
                (open, bytes) -> open.write(bytes, open.size()),
                WRITING);
            String text = "x".repeat(CONTENT.length);
            tell("writeString", () -> Fs.writeString(file, text));
            Fs.remove(file);
            tell("copy, and no half", () -> Fs.copy(source, file));
            expectNone(file);
            tell("copyNow, and no half", () -> Fs.copyNow(source, file));
            expectNone(file);
            Fs.writeString(file, "there is room again");
            System.out.println("fine");
          });
    }

    @FunctionalInterface
    private interface Writing {
      void write(OpenFile file, ByteBuffer bytes) throws IOException;
    }

    private static void fill(
        Path file, String how, int piece, Writing writing, StandardOpenOption... options)
        throws Exception {
      ByteBuffer bytes = ByteBuffer.allocateDirect(CONTENT.length).put(CONTENT).flip();
      try (OpenFile open = Fs.open(file, options)) {
        tell(
            how + ", and all that was reported",
            () -> {
              while (true) {
                bytes.limit(Math.min(bytes.position() + piece, bytes.capacity()));
                writing.write(open, bytes);
              }
            });
      }
      byte[] there = Files.readAllBytes(file);
      byte[] reported = Arrays.copyOf(CONTENT, bytes.position());
      if (there.length == 0 || !Arrays.equals(reported, there)) {
        throw new AssertionError(how + ": " + reported.length + " reported, is " + there.length);
      }
      Fs.remove(file);
    }

    private static void tell(String what, Action action) throws Exception {
      try {
        action.run();
        throw new AssertionError("nothing failed: " + what);
      } catch (UvException e) {
        System.out.println(e.code() + " " + what);
      }
    }

    private static void expectNone(Path file) {
      if (Files.exists(file)) {
        throw new AssertionError(file + " is there");
      }
    }
  }
}
