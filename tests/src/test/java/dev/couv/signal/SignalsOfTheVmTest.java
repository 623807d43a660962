// SPDX-License-Identifier: Apache-2.0
package dev.couv.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.FreshJvm;
import dev.couv.coro.Loop;
import dev.couv.time.Time;
import java.io.BufferedReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What becomes of the VM's own handling of signals, seen from outside: each test has a JVM of its own.
@Tag("jvm")
final class SignalsOfTheVmTest {
  private final List<String> output = new ArrayList<>();

  @Test
  void hooksRunOnTermAndADumpComesOnQuitAfterAWatcherCameAndWent() throws Exception {
    Process child = start("", List.of());
    try (BufferedReader out = child.inputReader()) {
      readUntil(out, "ready");

      Signal.send(child.pid(), Signal.QUIT);
      readUntil(out, "Full thread dump");
      Signal.send(child.pid(), Signal.TERM);
      readUntil(out, "hook");
      assertEnd(128 + 15, child);
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void aSignalThatIsNoLongerWatchedDoesWhatItDoesByDefault() throws Exception {
    Process child = start("", List.of());
    try (BufferedReader out = child.inputReader()) {
      readUntil(out, "ready");

      Signal.send(child.pid(), Signal.USR1);

      assertEnd(128 + 10, child);
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void signalsIgnoredFromTheStartAreHeardWhileWatchedAndIgnoredAgainAfter() throws Exception {
    Process child = start("trap '' HUP USR1; ", List.of());
    try (BufferedReader out = child.inputReader()) {
      readUntil(out, "ready");
      assertTrue(output.contains("heard HUP") && output.contains("heard USR1"), output::toString);

      Signal.send(child.pid(), Signal.HUP);
      Signal.send(child.pid(), Signal.USR1);
      Signal.send(child.pid(), Signal.TERM);

      readUntil(out, "hook");
      assertEnd(128 + 15, child);
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void aVmThatLeavesTheSignalsAloneLetsQuitBeWatchedToo() throws Exception {
    Process child = start("", List.of("-Xrs"));
    try (BufferedReader out = child.inputReader()) {
      readUntil(out, "ready");
      assertTrue(output.contains("heard QUIT") && output.contains("heard TERM"), output::toString);

      Signal.send(child.pid(), Signal.TERM);

      assertEnd(128 + 15, child);
    } finally {
      child.destroyForcibly();
    }
  }

  private void readUntil(BufferedReader out, String wanted) throws Exception {
    for (String line; (line = out.readLine()) != null; ) {
      output.add(line);
      if (line.startsWith(wanted)) {
        return;
      }
    }
    throw new AssertionError("no line " + wanted + " in " + output);
  }

  private static void assertEnd(int status, Process child) throws Exception {
    assertTrue(child.waitFor(240, TimeUnit.SECONDS), "it does not end");
    assertEquals(status, child.exitValue());
  }

  private static Process start(String before, List<String> options) throws Exception {
    List<String> command = FreshJvm.command(Program.class, options.toArray(String[]::new));
    List<String> shell = new ArrayList<>(List.of("sh", "-c", before + "exec \"$@\"", "sh"));
    shell.addAll(command);
    return new ProcessBuilder(shell).redirectErrorStream(true).start();
  }

  /// Watches what it may, hears what it sends to itself, lets go of it, and waits.
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
      long me = ProcessHandle.current().pid();
      Loop.run(
          () -> {
            for (Signal signal :
                List.of(Signal.TERM, Signal.INT, Signal.HUP, Signal.USR1, Signal.QUIT)) {
              try (SignalWatch watch = Signal.watch(signal)) {
                Coroutine<Signal> awaited = Coroutine.spawn(() -> Signal.await(signal));
                Coroutine.pause();
                Signal.send(me, signal);
                watch.next();
                System.out.println("heard " + awaited.await());
              } catch (IllegalArgumentException refused) {
                System.out.println(refused.getMessage());
              }
            }
            System.out.println("ready");
            Time.sleep(Duration.ofHours(1));
          });
    }
  }
}
