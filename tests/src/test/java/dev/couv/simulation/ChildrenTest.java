// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.fs.Fs;
import dev.couv.info.Info;
import dev.couv.memory.MemoryWorld;
import dev.couv.net.Local;
import dev.couv.net.LocalListener;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.pool.LoopPool;
import dev.couv.process.Child;
import dev.couv.process.Command;
import dev.couv.process.Dir;
import dev.couv.process.Env;
import dev.couv.process.Exit;
import dev.couv.process.Output;
import dev.couv.process.Stdio;
import dev.couv.signal.Signal;
import dev.couv.stream.ByteStream;
import dev.couv.time.Time;
import dev.couv.tty.Terminal;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Children of simulated hosts: processes of their own, whose programs are bodies in Java.
final class ChildrenTest {
  private static final InetSocketAddress PORT = new InetSocketAddress(7);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /// What may be tried while it is too late.
  private static final List<String> DEEDS =
      List.of("write", "file", "connect", "listen", "local", "child");

  /// Counts the seconds that it lives.
  private static Program ticking(AtomicInteger ticks) {
    return _ -> {
      while (true) {
        Time.sleep(SECOND);
        ticks.incrementAndGet();
      }
    };
  }

  private static int serveEcho(List<String> arguments) throws Exception {
    try (TcpListener listener = Tcp.listen(PORT)) {
      listener.serve(peer -> ByteStream.copy(peer, peer));
    }
    return 0;
  }

  private static String ask(String host, String what) throws IOException {
    try (TcpStream stream = Tcp.connect(host, 7)) {
      stream.write(what);
      stream.shutdown();
      return new String(stream.readAll(1000), UTF_8);
    }
  }

  // ---- what a child is

  /// The example of the manual.
  @Test
  void aBodyStandsForAProgram() {
    Simulation.run(
        1,
        sim -> {
          sim.program(
              "grep",
              arguments -> {
                int code = 1;
                for (String line : Terminal.stdin().lines()) {
                  if (line.contains(arguments.getFirst())) {
                    Terminal.stdout().write(line + "\n");
                    code = 0;
                  }
                }
                return code;
              });
          sim.client(
              "user",
              () -> {
                var log = ByteBuffer.wrap("all is well\nan error\n".getBytes(UTF_8));
                Output errors = Command.of("grep", "error").output(log);
                assertEquals("an error\n", errors.stdoutText());
                assertEquals(new Exit.Code(1), Command.of("grep", "error").run());
              });
        });
  }

  @Test
  void aChildIsAProcessOfItsOwn() {
    Simulation.run(
        1,
        sim -> {
          sim.program(
              "self",
              arguments -> {
                Env.set("OWN", "child's");
                Dir.set(Path.of("/inner"));
                Terminal.stdout()
                    .write(
                        String.join(
                            " ",
                            arguments.toString(),
                            Long.toString(Info.pid()),
                            Long.toString(Info.parentPid()),
                            Info.hostName(),
                            Info.executable().toString(),
                            Env.get("GIVEN"),
                            Fs.readString(Path.of("file"))));
                return 5;
              });
          sim.client(
              "one",
              () -> {
                Fs.makeDirs(Path.of("/inner"));
                Fs.writeString(Path.of("/inner/file"), "of the same disk");
                Env.set("OWN", "parent's");
                Output output = Command.of("self", "a", "b").env("GIVEN", "given").output();

                assertEquals(new Exit.Code(5), output.exit());
                assertEquals(
                    "[a, b] "
                        + (Info.pid() + 1)
                        + " "
                        + Info.pid()
                        + " one /bin/self given of the same disk",
                    output.stdoutText());
                assertEquals("parent's", Env.get("OWN"));
                assertEquals(Path.of("/"), Dir.get());
              });
        });
  }

  @Test
  void itsTimeIsTheHosts() {
    SimReport report =
        Simulation.run(
            1,
            sim -> {
              sim.program(
                  "sleep",
                  _ -> {
                    Time.sleep(Duration.ofMinutes(20));
                    return 0;
                  });
              sim.client("one", () -> Command.of("sleep").run());
            });
    assertTrue(report.elapsed().compareTo(Duration.ofMinutes(20)) >= 0, report::toString);
    assertTrue(report.steps() < 50, report::toString);
  }

  @Test
  void othersReachItOverTheNetwork() {
    Simulation.run(
        2,
        sim -> {
          sim.host("server", () -> Command.of("echo").run());
          sim.program("server", "echo", ChildrenTest::serveEcho);
          sim.client(
              "user",
              () -> {
                Time.sleep(SECOND);
                assertEquals("hello", ask("server", "hello"));
                assertThrows(NoSuchFileException.class, () -> Command.of("echo").run());
              });
        });
  }

  @Test
  void anExceptionIsToldAtItsErrorOutputAndAnErrorFailsTheRun() {
    Simulation.run(
        1,
        sim -> {
          sim.program(
              "failing",
              _ -> {
                throw new IOException("no such luck");
              });
          sim.client(
              "one",
              () -> {
                Output output = Command.of("failing").output();
                assertEquals(new Exit.Code(1), output.exit());
                assertTrue(
                    output.stderrText().startsWith("java.io.IOException: no such luck"),
                    output::stderrText);
                assertEquals(new Exit.Code(1), Command.of("failing").run());
              });
        });
    SimulationFailure failure =
        assertThrows(
            SimulationFailure.class,
            () ->
                Simulation.run(
                    1,
                    sim -> {
                      sim.program(
                          "wrong",
                          _ -> {
                            throw new AssertionError("of the test");
                          });
                      sim.client("one", () -> Command.of("wrong").run());
                    }));
    assertTrue(failure.getMessage().contains("of the test"), failure::getMessage);
  }

  @Test
  void aChildHasPoolsAndChildrenOfItsOwn() {
    Simulation.run(
        4,
        sim -> {
          sim.program("leaf", arguments -> arguments.getFirst().length());
          sim.program(
              "inner",
              _ -> {
                try (LoopPool pool = LoopPool.open(2)) {
                  Exit exit = pool.submit(() -> Command.of("leaf", "abcd").run()).await();
                  return exit instanceof Exit.Code(int code) ? code : 99;
                }
              });
          sim.client("one", () -> assertEquals(new Exit.Code(4), Command.of("inner").run()));
        });
  }

  @Test
  void namesAndPathsOfPrograms() {
    Simulation.run(
        1,
        sim -> {
          sim.program("/opt/tool", _ -> 3);
          sim.program("name", _ -> 4);
          assertThrows(IllegalArgumentException.class, () -> sim.program("name", _ -> 5));
          assertThrows(IllegalArgumentException.class, () -> sim.program("a/b", _ -> 5));
          assertThrows(IllegalArgumentException.class, () -> sim.program("", _ -> 5));
          assertThrows(IllegalArgumentException.class, () -> sim.program("nobody", "x", _ -> 5));
          sim.client(
              "one",
              () -> {
                assertEquals(new Exit.Code(3), Command.of("/opt/tool").run());
                assertEquals(new Exit.Code(4), Command.of("/bin/name").run());
                assertThrows(NoSuchFileException.class, () -> Command.of("tool").run());
                Env.set("PATH", "/usr/bin:/opt");
                assertEquals(new Exit.Code(3), Command.of("tool").run());
                assertThrows(NoSuchFileException.class, () -> Command.of("name").run());
              });
          assertThrows(IllegalArgumentException.class, () -> sim.program("one", "name", _ -> 5));
        });
  }

  @Test
  void aWorldOfOneLoopHasNone() throws Exception {
    Loop.run(
        LoopOptions.DEFAULT.withWorld(MemoryWorld.alone(1)),
        () -> {
          var refused =
              assertThrows(UnsupportedOperationException.class, () -> Command.of("true").run());
          assertTrue(refused.getMessage().contains("no child processes"), refused::getMessage);
        });
  }

  // ---- how it ends

  @Test
  void aCrashEndsAllThatRunsOnTheHost() {
    AtomicInteger ticks = new AtomicInteger();
    AtomicInteger unwound = new AtomicInteger();
    Simulation.run(
        1,
        sim -> {
          ticks.set(0);
          sim.program("ticking", ticking(ticks));
          sim.program(
              "starting",
              _ -> {
                try {
                  return Command.of("ticking").run() instanceof Exit.Code(int code) ? code : 9;
                } finally {
                  unwound.incrementAndGet();
                }
              });
          AtomicInteger lives = new AtomicInteger();
          sim.host(
              "server",
              () -> {
                if (lives.getAndIncrement() == 0) {
                  Command.of("starting").detached(true).start();
                }
                Time.sleep(Duration.ofHours(1));
              });
          sim.client(
              "user",
              () -> {
                Time.sleep(Duration.ofMillis(3500));
                assertEquals(3, ticks.get());
                sim.crash("server");
                Time.sleep(SECOND);
                assertEquals(1, unwound.get());
                sim.restart("server");
                Time.sleep(Duration.ofMinutes(1));
                assertEquals(3, ticks.get());
                assertEquals(2, lives.get());
              });
        });
  }

  @Test
  void whatAProgramLeavesBehindGoesOnWithoutIt() {
    AtomicInteger ticks = new AtomicInteger();
    Simulation.run(
        1,
        sim -> {
          ticks.set(0);
          sim.program("ticking", ticking(ticks));
          sim.program("echo", ChildrenTest::serveEcho);
          sim.host(
              "server",
              () -> {
                Command.of("echo").start();
                try (Child _ = Command.of("ticking").start()) { // which is not killed by who is
                  Time.sleep(Duration.ofHours(1));
                }
              });
          sim.client(
              "user",
              () -> {
                Time.sleep(Duration.ofMillis(1500));
                sim.signal("server", Signal.TERM);
                Time.sleep(Duration.ofSeconds(2));
                assertEquals(3, ticks.get());
                assertEquals("still", ask("server", "still"));
                sim.crash("server");
                Time.sleep(SECOND);
                assertThrows(ConnectException.class, () -> ask("server", "gone"));
                assertEquals(3, ticks.get());
              });
          sim.limit(Duration.ofHours(2));
        });
  }

  @Test
  void whatAKilledChildDoesWhileItUnwindsReachesNobody() {
    List<String> done = new ArrayList<>();
    List<String> unwound = new ArrayList<>();
    Simulation.run(
        1,
        sim -> {
          done.clear();
          unwound.clear();
          sim.host("other", () -> serveEcho(List.of()));
          sim.program(
              "stubborn",
              arguments -> {
                Terminal.stdout().write("begun");
                try {
                  Time.sleep(Duration.ofHours(1));
                  return 0;
                } finally {
                  unwound.add(arguments.getFirst());
                  Coroutine.protect(() -> lastDeed(arguments.getFirst()));
                  done.add(arguments.getFirst());
                }
              });
          sim.client(
              "one",
              () -> {
                for (String deed : DEEDS) {
                  try (Child child = Command.of("stubborn", deed).stdout(Stdio.pipe()).start()) {
                    Time.sleep(SECOND);
                    assertTrue(child.kill());
                    assertEquals(new Exit.Signalled(Signal.KILL), child.exit());
                    assertEquals("begun", new String(child.stdout().readAll(100), UTF_8));
                  }
                }
                assertEquals(DEEDS, unwound);
                assertFalse(Fs.exists(Path.of("/trace")));
                assertEquals(List.of(), done);
                assertThrows(ConnectException.class, () -> ask("one", "x"));
              });
        });
  }

  private static @Nullable Void lastDeed(String deed) throws Exception {
    switch (deed) {
      case "write" -> Terminal.stdout().write("still here");
      case "file" -> Fs.writeString(Path.of("/trace"), "still here");
      case "connect" -> ask("other", "still here");
      case "listen" -> serveEcho(List.of());
      case "local" -> {
        try (LocalListener listener = Local.listen(Path.of("/trace"))) {
          listener.accept();
        }
      }
      default -> Command.of("stubborn", "write").run();
    }
    return null;
  }

  @Test
  void aStoppedChildStandsStillAndAPausedHostAltogether() {
    AtomicInteger ticks = new AtomicInteger();
    Simulation.run(
        1,
        sim -> {
          ticks.set(0);
          sim.program("ticking", ticking(ticks));
          sim.host(
              "server",
              () -> {
                try (Child child = Command.of("ticking").start()) {
                  Time.sleep(Duration.ofMillis(2500));
                  child.signal(Signal.STOP);
                  Time.sleep(Duration.ofSeconds(10));
                  assertEquals(2, ticks.get());
                  child.signal(Signal.CONT);
                  Time.sleep(Duration.ofMillis(500));
                  assertEquals(3, ticks.get());
                  child.exit();
                }
              });
          sim.client(
              "user",
              () -> {
                Time.sleep(Duration.ofSeconds(20));
                sim.pause("server");
                Time.sleep(SECOND);
                int before = ticks.get();
                Time.sleep(Duration.ofSeconds(10));
                assertEquals(before, ticks.get());
                sim.resume("server");
                Time.sleep(Duration.ofSeconds(5));
                assertTrue(ticks.get() > before);
              });
        });
  }

  // ---- the same again

  /// Children that race, on two hosts.
  private static void race(Simulation sim) {
    sim.weather(Weather.STORM);
    sim.program(
        "worker",
        arguments -> {
          Time.sleep(Duration.ofMillis(Info.chance().nextInt(100)));
          Terminal.stdout().write(arguments.getFirst() + " " + Info.chance().nextInt() + "\n");
          ask("echo", arguments.getFirst());
          return 0;
        });
    sim.program("server", ChildrenTest::serveEcho);
    sim.host("echo", () -> Command.of("server").run());
    sim.client(
        "boss",
        () -> {
          Time.sleep(SECOND);
          List<Coroutine<Output>> outputs = new ArrayList<>();
          for (int i = 0; i < 8; i++) {
            String number = Integer.toString(i);
            outputs.add(
                Coroutine.spawn(
                    () -> {
                      Output output = Command.of("worker", number).output();
                      sim.record(output.stdoutText());
                      return output;
                    }));
          }
          for (Coroutine<Output> each : outputs) {
            each.await();
          }
        });
  }

  @Test
  void aSeedRepeatsTheirOrder() {
    SimReport one = Simulation.run(1, ChildrenTest::race);

    assertEquals(one, Simulation.run(1, ChildrenTest::race));
    assertNotEquals(one.hash(), Simulation.run(2, ChildrenTest::race).hash());
  }
}
