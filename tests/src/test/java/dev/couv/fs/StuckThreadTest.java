// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.FreshJvm;
import dev.couv.coro.Loop;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A thread of libuv is inside a call that never ends: the program must still be able to.
@Tag("jvm")
class StuckThreadTest {
  @TempDir Path dir;

  /// Opens a named pipe that nobody writes to, waits until a thread must be inside, and exits.
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      Path fifo = Path.of(arguments[0]);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
      Loop.run(
          () -> {
            Coroutine<?> opening = Coroutine.spawn(() -> Fs.open(fifo));
            // Requests are taken up in order: when this is done, a thread has the other.
            Fs.info(fifo.getParent());
            System.out.println("stuck");
            switch (arguments[1]) {
              case "exit" -> System.exit(3);
              case "halt" -> Runtime.getRuntime().halt(3);
              case "end" -> opening.cancel();
              default -> throw new AssertionError();
            }
          });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit", "halt", "end"})
  void theProgramEndsWithItsOwnStatus(String how) throws Exception {
    Path fifo = Fifo.in(dir);
    List<String> command = FreshJvm.command(Program.class);
    command.addAll(List.of(fifo.toString(), how));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try {
      assertTrue(process.waitFor(240, TimeUnit.SECONDS), "it hangs");

      String printed = new String(process.getInputStream().readAllBytes());
      assertEquals(how.equals("end") ? 0 : 3, process.exitValue(), printed);
      assertEquals(how.equals("halt") ? "stuck\n" : "stuck\nhook\n", printed);
    } finally {
      process.destroyForcibly();
    }
  }
}
