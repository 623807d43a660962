// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Coroutine;
import dev.couv.coro.FreshJvm;
import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.fs.OpenFile;
import dev.couv.info.Info;
import dev.couv.net.LocalStream;
import dev.couv.net.Names;
import dev.couv.net.Pair;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.net.Udp;
import dev.couv.net.UdpSocket;
import dev.couv.poll.Poll;
import dev.couv.poll.Readiness;
import dev.couv.process.Command;
import dev.couv.resilience.Retry;
import dev.couv.signal.Signal;
import dev.couv.stream.ByteStream;
import dev.couv.time.Time;
import dev.couv.tty.Terminal;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Hosts in one thread: what they see of each other and of faults, and that a seed repeats it.
final class SimulationTest {
  private static final InetSocketAddress PORT = new InetSocketAddress(7);

  static void echo() throws Exception {
    try (TcpListener listener = Tcp.listen(PORT)) {
      listener.serve(peer -> ByteStream.copy(peer, peer));
    }
  }

  private static String ask(String host, String what) throws IOException {
    try (TcpStream stream = Tcp.connect(host, 7)) {
      stream.write(what);
      stream.shutdown();
      return new String(stream.readAll(1000), UTF_8);
    }
  }

  private static void askUntilAnswered(String host) throws Exception {
    while (true) {
      try {
        Time.timeout(Duration.ofSeconds(1), () -> ask(host, "x"));
        return;
      } catch (IOException | TimeoutException failed) {
        Time.sleep(Duration.ofMillis(100));
      }
    }
  }

  /// Something of everything.
  static void busy(Simulation sim) {
    sim.weather(Weather.STORM);
    sim.host("echo", SimulationTest::echo);
    for (int i = 0; i < 3; i++) {
      String name = "user" + i;
      sim.client(
          name,
          () -> {
            for (int round = 0; round < 5; round++) {
              askUntilAnswered("echo");
              Time.sleep(Duration.ofMillis(sim.random().nextInt(1000)));
            }
            sim.record(name + " at " + Time.now() + " drew " + Info.chance().nextInt());
          });
    }
    sim.chaos(
        Chaos.of("echo", "user0", "user1").withCrashes(false).withUntil(Duration.ofSeconds(9)));
    sim.after(Duration.ofSeconds(2), () -> sim.crash("echo"));
    sim.after(Duration.ofSeconds(3), () -> sim.restart("echo"));
  }

  // ---- the same again

  @Test
  void aSeedMakesTheSameRunAndAnotherAnother() {
    SimReport one = Simulation.run(1, SimulationTest::busy);

    assertEquals(one, Simulation.run(1, SimulationTest::busy));
    assertNotEquals(one.hash(), Simulation.run(2, SimulationTest::busy).hash());
    assertTrue(one.elapsed().compareTo(Duration.ofSeconds(2)) > 0, one::toString);
  }

  @Tag("jvm")
  @Test
  void anotherProcessAndTheOtherEngineMakeTheSameRun() throws Exception {
    String here = Long.toString(Simulation.run(1, SimulationTest::busy).hash());

    List<String> same = FreshJvm.run(Program.class);
    List<String> other = FreshJvm.run(Program.class, "-Dcouv.engine=hand-over");

    assertEquals(List.of(here), same);
    assertEquals(List.of(here), other);
  }

  /// Prints the hash of a run.
  static final class Program {
    private Program() {}

    @SuppressWarnings("SystemOut")
    public static void main(String... args) {
      System.out.println(Simulation.run(1, SimulationTest::busy).hash());
    }
  }

  @Test
  void chanceAndTheCalendarAreTheSeeds() {
    Set<List<Object>> seen = new HashSet<>();
    for (int i = 0; i < 2; i++) {
      Simulation.run(
          5,
          sim ->
              sim.client(
                  "one",
                  () -> {
                    ByteBuffer random = ByteBuffer.allocate(8);
                    Info.random(random);
                    Retry retry = Retry.of().withAttempts(3);
                    assertThrows(
                        IOException.class,
                        () ->
                            retry.run(
                                (Action)
                                    () -> {
                                      throw new IOException("never");
                                    }));
                    seen.add(
                        List.of(
                            random.getLong(0),
                            Time.now(),
                            Time.nanos(),
                            Info.hostName(),
                            sim.elapsed()));
                  }));
    }
    assertEquals(1, seen.size(), seen::toString);
  }

  // ---- the network

  @Test
  void hostsReachEachOtherByNameAndTimePasses() {
    SimReport report =
        Simulation.run(
            0,
            sim -> {
              sim.host("echo", SimulationTest::echo);
              sim.client(
                  "user",
                  () -> {
                    assertEquals("hello", ask("echo", "hello"));
                    Time.sleep(Duration.ofHours(1));
                  });
              sim.limit(Duration.ofHours(2));
            });

    assertTrue(report.elapsed().compareTo(Duration.ofHours(1)) > 0);
    assertTrue(report.steps() < 100, report::toString);
  }

  @Test
  void nobodyListensThereOrNobodyIsThere() {
    Simulation.run(
        0,
        sim -> {
          sim.host("idle", () -> Time.sleep(Duration.ofHours(1)));
          sim.client(
              "user",
              () -> {
                assertThrows(ConnectException.class, () -> ask("idle", "x"));
                assertThrows(IOException.class, () -> ask("nobody", "x"));
                sim.crash("idle");
                Time.sleep(Duration.ofMillis(1));
                ConnectException late =
                    assertThrows(ConnectException.class, () -> ask("idle", "x"));
                assertEquals("ETIMEDOUT", ((UvException) late.getCause()).code());
              });
        });
  }

  @Test
  void whatAPartitionHoldsBackComesWhenItIsHealed() {
    Simulation.run(
        3,
        sim -> {
          sim.host("echo", SimulationTest::echo);
          sim.client(
              "user",
              () -> {
                try (TcpStream stream = Tcp.connect("echo", 7)) {
                  sim.partition("user", "echo");
                  stream.write("held back");
                  ByteBuffer answer = ByteBuffer.allocate(9);
                  assertThrows(
                      TimeoutException.class,
                      () -> Time.timeout(Duration.ofSeconds(5), () -> stream.readFully(answer)));
                  sim.heal();
                  stream.readFully(answer);
                }
              });
        });
  }

  @Test
  void oneWayMayBeCutAlone() {
    Simulation.run(
        3,
        sim -> {
          List<String> heard = new ArrayList<>();
          sim.host("a", () -> chatter("a", "b", heard));
          sim.host("b", () -> chatter("b", "a", heard));
          sim.partitionOneWay("a", "b");
          sim.client("clock", () -> Time.sleep(Duration.ofSeconds(10)));
          sim.eventually("only a heard", () -> heard.contains("a") && !heard.contains("b"));
        });
  }

  /// Sends something every second, and notes that it heard something.
  private static void chatter(String name, String other, List<String> heard) throws Exception {
    try (UdpSocket socket = Udp.bind(PORT)) {
      Coroutine.spawn(
          () -> {
            while (true) {
              socket.receive(ByteBuffer.allocate(10));
              heard.add(name);
            }
          });
      InetSocketAddress to = Names.resolve(other, 7).getFirst();
      while (true) {
        socket.send(ByteBuffer.allocate(1), to);
        Time.sleep(Duration.ofSeconds(1));
      }
    }
  }

  @Test
  void datagramsGetLostAndComeTwiceAndOvertakeEachOther() {
    AtomicInteger lost = new AtomicInteger();
    AtomicInteger twice = new AtomicInteger();
    AtomicInteger overtaken = new AtomicInteger();
    Simulation.run(
        1,
        sim -> {
          sim.weather(Weather.STORM.withLoss(0.1).withDuplication(0.1));
          List<Byte> came = new ArrayList<>();
          sim.host(
              "sink",
              () -> {
                try (UdpSocket socket = Udp.bind(PORT)) {
                  while (true) {
                    ByteBuffer into = ByteBuffer.allocate(1);
                    socket.receive(into);
                    came.add(into.get(0));
                  }
                }
              });
          sim.client(
              "source",
              () -> {
                Time.sleep(Duration.ofSeconds(1));
                try (UdpSocket socket =
                    Udp.connect(new InetSocketAddress(sim.address("sink"), 7))) {
                  for (byte i = 0; i < 100; i++) {
                    socket.send(ByteBuffer.wrap(new byte[] {i}));
                  }
                  Time.sleep(Duration.ofSeconds(10));
                }
                lost.set(100 - new HashSet<>(came).size());
                twice.set(came.size() - new HashSet<>(came).size());
                for (int i = 1; i < came.size(); i++) {
                  overtaken.addAndGet(came.get(i) < came.get(i - 1) ? 1 : 0);
                }
              });
        });
    assertTrue(lost.get() > 0 && lost.get() < 50, lost + " lost");
    assertTrue(twice.get() > 0 && overtaken.get() > 10, twice + " twice, " + overtaken);
  }

  @Test
  void aResetEndsTheConnectionForBoth() {
    Simulation.run(
        1,
        sim -> {
          sim.host("echo", SimulationTest::echo);
          sim.client(
              "user",
              () -> {
                try (TcpStream stream = Tcp.connect("echo", 7)) {
                  sim.reset("user", "echo");
                  UvException reset = assertThrows(UvException.class, stream::read);
                  assertEquals("ECONNRESET", reset.code());
                }
              });
        });
  }

  // ---- faults of hosts

  @Test
  void aCrashedHostSaysNothingAndBeginsAnew() {
    AtomicInteger lives = new AtomicInteger();
    AtomicInteger unwound = new AtomicInteger();
    Simulation.run(
        1,
        sim -> {
          sim.host(
              "echo",
              () -> {
                lives.incrementAndGet();
                try {
                  echo();
                } finally {
                  unwound.incrementAndGet();
                }
              });
          sim.client(
              "user",
              () -> {
                try (TcpStream stream = Tcp.connect("echo", 7)) {
                  sim.crash("echo");
                  Coroutine<?> reader = Coroutine.spawn(() -> stream.read());
                  Time.sleep(Duration.ofMinutes(1));
                  assertFalse(reader.status().toString().equals("DONE"), "nobody told it");
                  sim.restart("echo");
                  Time.sleep(Duration.ofSeconds(1));
                  stream.write("x"); // the new life knows nothing of it, and says so
                  assertInstanceOf(
                      UvException.class, assertThrows(IOException.class, reader::await));
                }
                assertEquals("again", ask("echo", "again"));
              });
        });
    assertEquals(2, lives.get());
    assertEquals(2, unwound.get());
  }

  @Test
  void aPausedHostAnswersLater() {
    Simulation.run(
        1,
        sim -> {
          sim.host("echo", SimulationTest::echo);
          sim.client(
              "user",
              () -> {
                ask("echo", "x");
                sim.pause("echo");
                sim.after(Duration.ofSeconds(30), () -> sim.resume("echo"));
                Duration before = sim.elapsed();
                assertEquals("late", ask("echo", "late"));
                assertTrue(sim.elapsed().minus(before).toSeconds() >= 29);
              });
        });
  }

  @Test
  void aClockMayBeAheadAndGoFaster() {
    Simulation.run(
        1,
        sim -> {
          sim.client(
              "fast",
              () -> {
                var before = Time.now();
                Duration start = sim.elapsed();
                sim.skew("fast", Duration.ZERO, 1_000_000);
                Time.sleep(Duration.ofSeconds(10));
                Duration took = sim.elapsed().minus(start);
                assertEquals(5, Math.round(took.toMillis() / 1000.0), took::toString);
                assertTrue(Duration.between(before, Time.now()).toMillis() >= 9999);
              });
        });
  }

  @Test
  void aSignalIsCaughtOrEndsTheProgram() {
    AtomicBoolean hung = new AtomicBoolean();
    Simulation.run(
        1,
        sim -> {
          sim.client(
              "polite",
              () -> {
                assertEquals(Signal.TERM, Signal.await(Signal.TERM, Signal.INT));
                hung.set(true);
              });
          sim.client("rude", () -> Time.sleep(Duration.ofDays(1)));
          sim.after(Duration.ofSeconds(1), () -> sim.signal("polite", Signal.TERM));
          sim.after(Duration.ofSeconds(2), () -> sim.signal("rude", Signal.TERM));
        });
    assertTrue(hung.get());
  }

  @Test
  void fiveHundredHostsAreFine() {
    SimReport report =
        Simulation.run(
            1,
            sim -> {
              sim.host("echo", SimulationTest::echo);
              for (int i = 0; i < 499; i++) {
                sim.client("user" + i, () -> askUntilAnswered("echo"));
              }
            });
    assertTrue(report.steps() < 20_000, report::toString);
  }

  // ---- what goes wrong

  private static SimulationFailure fails(Scenario scenario) {
    return assertThrows(SimulationFailure.class, () -> Simulation.run(9, scenario));
  }

  private static void assertTold(SimulationFailure failure, String part) {
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains(part), message);
    assertTrue(message.contains("seed 9"), message);
  }

  @Test
  void aFailureOfAHostIsTold() {
    SimulationFailure failure =
        fails(
            sim -> {
              sim.host(
                  "bad",
                  () -> {
                    Time.sleep(Duration.ofSeconds(1));
                    throw new IOException("broken");
                  });
              sim.client("user", () -> Time.sleep(Duration.ofSeconds(2)));
            });
    assertTold(failure, "bad failed");
    assertInstanceOf(IOException.class, failure.getCause());
  }

  @Test
  void whoWaitsForEverIsTold() {
    assertTold(
        fails(sim -> sim.client("user", () -> Tcp.listen(PORT).accept())),
        "nothing can happen any more");
    assertTold(
        fails(
            sim -> {
              sim.limit(Duration.ofSeconds(10));
              sim.client("user", () -> Time.sleep(Duration.ofDays(1)));
            }),
        "not over after 10.000000 s");
  }

  @Test
  void whatDoesNotHoldIsTold() {
    AtomicInteger counted = new AtomicInteger();
    Scenario counting =
        sim -> {
          counted.set(0);
          sim.always("below three", () -> counted.get() < 3);
          sim.client(
              "user",
              () -> {
                for (int i = 0; i < 5; i++) {
                  Time.sleep(Duration.ofSeconds(1));
                  counted.incrementAndGet();
                }
              });
        };
    assertTold(fails(counting), "\"below three\" did not hold");
    assertTold(
        fails(
            sim -> {
              sim.eventually("pigs fly", () -> false);
              sim.client("user", () -> {});
            }),
        "\"pigs fly\" did not come true");
  }

  @Tag("loop-scheduled-engine") // the other blocks with it, and time stands still
  @Test
  void whoBlocksInPlainJavaLeavesTheWorld() {
    assertTold(
        fails(sim -> sim.client("user", () -> Thread.sleep(Duration.ofMillis(1)))),
        "left the simulated world");
  }

  /// The time is over before the loop has looked: on most of these rounds.
  @Tag("loop-scheduled-engine")
  @Test
  void whoBlocksForAnInstantLeavesTheWorldAsWell() {
    for (int i = 0; i < 200; i++) {
      assertTold(
          fails(sim -> sim.client("user", () -> Thread.sleep(Duration.ofNanos(1)))),
          "left the simulated world");
    }
  }

  @Test
  void aCallOnAnotherThreadTakesNoTime() {
    SimReport report =
        Simulation.run(
            1,
            sim -> sim.client("user", () -> assertEquals(7, Loop.offload(() -> 3 + 4).intValue())));
    assertEquals(Duration.ZERO, report.elapsed());
  }

  @Test
  void whatTheWorldHasNotIsRefusedByName() {
    Simulation.run(
        1,
        sim -> {
          sim.program("true", _ -> 0);
          sim.client(
              "user",
              () -> {
                refused("has one user", () -> Command.of("true").uid(1).run());
                refused("has one user", () -> Command.of("true").gid(1).run());
                refused("no standard streams", Terminal::stdin);
                refused("no standard streams", Terminal::stdout);
                refused("no file at its descriptor 0", () -> OpenFile.adopt(0, Path.of("x")));
                refused("descriptors to wait for", () -> Poll.open(0, Readiness.READABLE));
                try (Pair pair = LocalStream.pair();
                    TcpListener listener = Tcp.listen(PORT)) {
                  refused(
                      "not what listens",
                      () -> pair.first().send(ByteBuffer.allocate(1), listener));
                }
              });
        });
  }

  private static void refused(String words, Executable call) {
    String told = assertThrows(UnsupportedOperationException.class, call).getMessage();
    assertTrue(told.contains(words), told);
  }

  @Test
  void theFewestFaultsAreTold() {
    AtomicInteger crashes = new AtomicInteger();
    SimulationFailure failure =
        fails(
            sim -> {
              crashes.set(-1);
              sim.host(
                  "db",
                  () -> {
                    crashes.incrementAndGet();
                    Time.sleep(Duration.ofDays(1));
                  });
              sim.host("other", () -> Time.sleep(Duration.ofDays(1)));
              sim.client("clock", () -> Time.sleep(Duration.ofMinutes(2)));
              sim.chaos(Chaos.of("db", "other"));
              sim.always("db never starts twice again", () -> crashes.get() < 2);
            });
    String message = String.valueOf(failure.getMessage());
    assertEquals(
        2, message.lines().filter(line -> line.contains("  crash of db")).count(), message);
    assertFalse(message.contains("  partition between"), message);
  }

  @Test
  void faultsThatWereStillToComeAreNotTried() {
    SimulationFailure failure =
        fails(
            sim -> {
              sim.client(
                  "user",
                  () -> {
                    throw new IllegalStateException("at once");
                  });
              sim.chaos(Chaos.of("user"));
            });
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("It takes no fault, of "), message);
    assertTrue(message.contains(", found in 2 runs\n"), message);
  }
}
