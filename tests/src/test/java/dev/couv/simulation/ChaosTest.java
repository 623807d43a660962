// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.fs.Fs;
import dev.couv.net.Tcp;
import dev.couv.net.TcpStream;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What a seeded plan does to disks, ways and clocks; and that shrinking finds which it was.
final class ChaosTest {
  private static final Path FILE = Path.of("/file");

  private static Chaos nothing(String... hosts) {
    return Chaos.of(hosts)
        .withCrashes(false)
        .withPauses(false)
        .withPartitions(false)
        .withResets(false);
  }

  /// Has the body run again and again while there are faults, until it fails; the faults that it takes.
  private static List<String> taken(Chaos chaos, Action body) {
    SimulationFailure failure =
        assertThrows(
            SimulationFailure.class,
            () -> {
              for (int seed = 0; seed < 20; seed++) {
                Simulation.run(seed, sim -> hostsWith(sim, chaos, body));
              }
            });
    List<String> lines = String.valueOf(failure.getMessage()).lines().toList();
    int from = lines.indexOf("");
    assertTrue(lines.get(from + 1).startsWith("Faults that it takes, of "), lines::toString);
    return lines.stream().skip(from + 2).takeWhile(line -> !line.isEmpty()).toList();
  }

  private static void hostsWith(Simulation sim, Chaos chaos, Action body) {
    sim.host("echo", SimulationTest::echo);
    sim.client(
        "user",
        () -> {
          while (sim.elapsed().toMinutes() < 2) {
            Time.sleep(Duration.ofMillis(100));
            body.run();
          }
        });
    sim.chaos(chaos);
  }

  private static void assertOneOf(List<String> taken, String... words) {
    assertEquals(1, taken.size(), taken::toString);
    assertTrue(
        List.of(words).stream().anyMatch(each -> taken.getFirst().contains("  " + each + ", for ")),
        taken::toString);
  }

  private static void write() throws IOException {
    Fs.writeString(FILE, "some words");
  }

  private static void assertQuick(Duration most, Action body) throws Exception {
    Instant before = Time.now();
    body.run();
    Duration took = Duration.between(before, Time.now());
    assertTrue(took.compareTo(most) < 0, took::toString);
  }

  @Test
  void disksFail() {
    assertOneOf(
        taken(nothing("user").withDiskFaults(true), ChaosTest::write),
        "full disk of user",
        "failing disk of user");
  }

  @Test
  void disksAreSlow() {
    assertOneOf(
        taken(
            nothing("user").withSlowDisks(true),
            () -> assertQuick(Duration.ofMillis(20), ChaosTest::write)),
        "slow disk of user",
        "stalling disk of user");
  }

  private static void ask() throws Exception {
    try (TcpStream stream = Tcp.connect(new InetSocketAddress("10.0.0.1", 7))) {
      stream.write("x");
      stream.read();
    }
  }

  @Test
  void waysAreSlow() {
    List<String> taken =
        taken(
            nothing("echo", "user").withStorms(true),
            () -> assertQuick(Duration.ofMillis(300), ChaosTest::ask));
    assertEquals(1, taken.size(), taken::toString);
    assertTrue(taken.getFirst().contains("  slow and lossy ways between "), taken::toString);
  }

  /// Asked is one that sleeps: it wakes by its own clock.
  @Test
  void clocksAreSkewed() {
    SimulationFailure failure =
        assertThrows(
            SimulationFailure.class,
            () ->
                Simulation.run(
                    1,
                    sim -> {
                      sim.client(
                          "user",
                          () -> {
                            Time.sleep(Duration.ofMinutes(1));
                            assertEquals(60, sim.elapsed().toSeconds());
                          });
                      sim.chaos(nothing("user").withSkews(true));
                    }));
    assertTrue(
        String.valueOf(failure.getMessage()).contains("  skewed clock of user, for "),
        failure::toString);
  }

  private static void all(Simulation sim) {
    AtomicInteger done = new AtomicInteger();
    sim.host("echo", SimulationTest::echo);
    sim.client(
        "user",
        () -> {
          while (sim.elapsed().toMinutes() < 3) {
            Time.sleep(Duration.ofSeconds(1));
            try {
              write();
              Time.timeout(Duration.ofSeconds(1), ChaosTest::ask);
              done.incrementAndGet();
            } catch (Exception met) {
              sim.record(met.getClass().getSimpleName());
            }
          }
          write();
          assertQuick(Duration.ofMillis(100), ChaosTest::ask);
        });
    sim.chaos(Chaos.all("echo", "user").withCrashes(false));
    sim.eventually("most was well", () -> done.get() > 60);
  }

  @Test
  void aSeedMakesTheSameRunAndInTheEndAllIsWell() {
    for (int seed = 0; seed < 3; seed++) {
      long first = Simulation.run(seed, ChaosTest::all).hash();
      assertEquals(first, Simulation.run(seed, ChaosTest::all).hash());
      assertNotEquals(first, Simulation.run(seed + 100, ChaosTest::all).hash());
    }
  }
}
