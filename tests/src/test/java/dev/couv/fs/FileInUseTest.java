// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.world.FileHandle;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file that nobody holds any more but the call that uses it: it must not be collected, and closed, in
/// the middle. Compiled code forgets what it does not need, so this runs in a VM that compiles.
@Tag("jvm")
class FileInUseTest {
  private static final int SIZE = 3 * FileHandle.PIECE; // three system calls

  @TempDir Path dir;

  /// Writes to a named pipe, and collects garbage while the first of several calls is under way.
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      Path fifo = Path.of(arguments[0]);
      Loop.run(
          () -> {
            Coroutine<Void> writer = Coroutine.spawn(() -> write(fifo));
            Loop.offload(
                () -> {
                  try (InputStream reader = new FileInputStream(fifo.toFile())) {
                    int first = reader.readNBytes(1).length;
                    for (int i = 0; i < 10; i++) {
                      System.gc();
                      Thread.yield();
                    }
                    return first + reader.readNBytes(SIZE - 1).length;
                  }
                });
            writer.await();
          });
    }

    private static void write(Path fifo) throws Exception {
      Fs.open(fifo, StandardOpenOption.WRITE).write(ByteBuffer.allocate(SIZE));
      System.out.println("written");
    }
  }

  @Test
  void itIsNotCollected() throws Exception {
    Path fifo = Fifo.in(dir);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-Xcomp",
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=compileonly,dev.couv.fs.*::*",
            "-XX:CompileCommand=compileonly,dev.couv.host.*::*"));
    if ("loop-scheduled".equals(System.getProperty("couv.test.engine"))) {
      command.addAll(List.of("--add-opens", "java.base/java.lang=ALL-UNNAMED"));
    }
    String classPath =
        Stream.of(Loop.class, Program.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
            .collect(Collectors.joining(File.pathSeparator));
    command.addAll(List.of("-cp", classPath, Program.class.getName(), fifo.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream printed = process.getInputStream()) {
      assertTrue(process.waitFor(300, TimeUnit.SECONDS), "it hangs");
      String text = new String(printed.readAllBytes());
      assertTrue(text.endsWith("written\n"), text);
    } finally {
      process.destroyForcibly();
    }
  }
}
