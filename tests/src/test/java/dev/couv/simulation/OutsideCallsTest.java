// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.time.Time;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/// What a simulation's classes call outside of its world is found.
final class OutsideCallsTest {
  /// Has some of each kind.
  static final class Sinner {
    private final LongSupplier clock = System::nanoTime;

    double chance() {
      return Math.random() + clock.getAsLong();
    }

    Runnable thread() {
      return () -> new Thread(() -> {}).start();
    }

    void socket() throws Exception {
      new Socket("localhost", 1).close();
    }

    Other other() {
      return new Other();
    }
  }

  /// Is looked at because the other one refers to it.
  static final class Other {
    Instant now() {
      return Instant.now();
    }
  }

  /// Does nothing of that kind.
  static final class Saint {
    InetSocketAddress address = InetSocketAddress.createUnresolved("db", 1);

    Instant now() {
      return Time.now();
    }
  }

  @Test
  void callsAreNamedWithWhoMakesThem() {
    String here = OutsideCallsTest.class.getName();
    assertEquals(
        List.of(
            here + "$Other.now calls Instant.now",
            here + "$Sinner.<init> calls System.nanoTime",
            here + "$Sinner.chance calls Math.random",
            here + "$Sinner.socket calls Socket",
            here + "$Sinner.thread calls Thread.start"),
        OutsideCalls.of(Sinner.class).stream()
            .filter(line -> line.contains("Sinner") || line.contains("Other"))
            .toList());
  }

  @Test
  void whoCallsNothingIsNotNamed() {
    assertEquals(
        List.of(),
        OutsideCalls.of(Saint.class).stream().filter(line -> line.contains("Saint")).toList());
  }

  @Test
  void aRunThatDoesNotRepeatIsToldWithItsSuspects() {
    SimulationFailure failure =
        assertThrows(
            SimulationFailure.class,
            () -> SeededMethods.checkRepeats(Sinner.class, 1, OutsideCallsTest::byTheRealClock));
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.startsWith("seed 0 gave two histories"), message);
    assertTrue(message.contains("Sinner.chance calls Math.random"), message);
  }

  private static void byTheRealClock(Simulation sim) {
    sim.client(
        "user", () -> Time.sleep(Duration.ofNanos(1 + Math.abs(System.nanoTime()) % 99_991)));
  }

  @Test
  void oneThatRepeatsIsNot() {
    SeededMethods.checkRepeats(
        Sinner.class, 3, sim -> sim.client("user", () -> Time.sleep(Duration.ofSeconds(1))));
  }

  @Test
  void aFailureThatDoesNotComeAgainIsNotBlamedOnFaults() {
    AtomicInteger runs = new AtomicInteger();
    SimulationFailure failure =
        assertThrows(
            SimulationFailure.class,
            () ->
                Simulation.run(
                    97,
                    sim -> {
                      sim.client(
                          "c",
                          () -> {
                            Time.sleep(Duration.ofSeconds(10));
                            if (runs.getAndIncrement() == 0) {
                              throw new IllegalStateException("by chance");
                            }
                          });
                      sim.chaos(Chaos.of("c").withCrashes(false));
                    }));
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("c failed: java.lang.IllegalStateException: by chance"), message);
    assertTrue(message.contains("It did not fail again in that way"), message);
    assertTrue(message.contains("another time:\n  it passed"), message);
    assertFalse(message.contains("it takes"), message);
    assertTrue(message.contains("Sinner.chance calls Math.random"), message);
  }

  /// The first seed is as it was, but the next are not.
  @Test
  void laterSeedsAreRunTwiceAsWell() {
    AtomicInteger runs = new AtomicInteger();
    SimulationFailure failure =
        assertThrows(
            SimulationFailure.class,
            () ->
                SeededMethods.checkRepeats(
                    Sinner.class,
                    2,
                    sim -> {
                      int run = runs.getAndIncrement();
                      sim.client("user", () -> Time.sleep(Duration.ofSeconds(run == 3 ? 2 : 1)));
                    }));
    assertEquals(1, failure.seed());
  }

  /// As when it met another simulation at a lock for too long.
  @Test
  void oneThatRepeatsFromTheSecondRunOnIsShrunk() {
    AtomicInteger runs = new AtomicInteger();
    SimulationFailure failure =
        assertThrows(
            SimulationFailure.class,
            () ->
                Simulation.run(
                    1,
                    sim -> {
                      int length = runs.getAndIncrement() == 0 ? 1 : 2;
                      sim.client(
                          "c",
                          () -> {
                            Time.sleep(Duration.ofSeconds(length));
                            throw new IllegalStateException("always");
                          });
                      sim.chaos(Chaos.of("c").withCrashes(false));
                    }));
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("It takes no fault"), message);
  }
}
