// SPDX-License-Identifier: Apache-2.0
package dev.couv.time;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Coroutine;
import dev.couv.coro.FreshJvm;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.testing.Behaviour;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A program ends although coroutines sleep.
@Tag("jvm")
final class TimeExitTest {
  @Test
  @Behaviour("TM16")
  void programEndsWithASleepingCoroutine() throws Exception {
    assertEquals("0: left open", outcome("left open"));
  }

  @Test
  @Behaviour("TM16")
  void programEndsFromWithinACoroutine() throws Exception {
    assertEquals("7: exit", outcome("exit"));
  }

  private static String outcome(String way) throws Exception {
    List<String> command = FreshJvm.command(Program.class);
    command.add(way);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (!process.waitFor(240, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    List<String> lines = output.lines().filter(line -> line.startsWith("> ")).toList();
    return process.exitValue() + ": " + String.join(" ", lines).substring(2);
  }

  /// The child.
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      String way = arguments[0];
      Loop loop = Loop.open();
      loop.spawn(() -> Time.sleep(Duration.ofHours(1)));
      if (way.equals("exit")) {
        loop.spawn(
            () -> {
              Coroutine.pause();
              System.out.println("> exit");
              System.exit(7);
            });
        loop.run(Mode.LOOP);
      }
      loop.run(Mode.READY);
      System.out.println("> " + way);
    }
  }
}
