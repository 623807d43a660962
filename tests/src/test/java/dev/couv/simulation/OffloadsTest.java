// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Calls on other threads in a simulated world: the seed decides their order, and not those threads.
final class OffloadsTest {
  /// In which order two coroutines get there is the seed's; how quick their calls are does not matter.
  @Test
  void callsOnOtherThreadsAreMadeOneAfterTheOther() {
    for (long seed = 0; seed < 6; seed++) {
      List<String> seen = Collections.synchronizedList(new ArrayList<>());
      Simulation.run(
          seed,
          sim ->
              sim.client(
                  "user",
                  () -> {
                    Coroutine.spawn(() -> callElsewhere("slow", 30, seen));
                    Coroutine.spawn(() -> callElsewhere("quick", 0, seen));
                  }));
      String first = seen.getFirst().split(" ")[0];
      String second = first.equals("slow") ? "quick" : "slow";
      assertEquals(
          List.of(
              first + " begins",
              second + " begins",
              first + " is made",
              first + " ends",
              second + " is made",
              second + " ends"),
          seen);
    }
  }

  private static void callElsewhere(String name, long millis, List<String> seen) throws Exception {
    seen.add(name + " begins");
    Loop.offload(
        () -> {
          Thread.sleep(millis); // that slow
          return seen.add(name + " is made");
        });
    seen.add(name + " ends");
  }

  @Test
  void aCallOnAnotherThreadThatIsLeftAtOnceIsNotMade() {
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger made = new AtomicInteger();
    for (long seed = 0; seed < 50; seed++) {
      Simulation.run(
          seed,
          sim ->
              sim.client(
                  "user",
                  () -> {
                    var calling =
                        Coroutine.spawn(
                            () -> {
                              begun.incrementAndGet();
                              Loop.offload(made::incrementAndGet);
                            });
                    for (int before = begun.get(); begun.get() == before; ) {
                      Coroutine.pause();
                    }
                    calling.cancel();
                  }));
    }
    assertEquals(50, begun.get());
    assertEquals(0, made.get());
  }

  @Test
  void aHostThatCrashesCanStillCallOtherThreads() {
    SimReport report =
        Simulation.run(
            1,
            sim -> {
              sim.host(
                  "db",
                  () -> {
                    try {
                      Time.sleep(Duration.ofDays(1));
                    } finally {
                      Coroutine.protect(() -> Loop.offload(() -> 1));
                    }
                  });
              sim.after(Duration.ofMillis(500), () -> sim.crash("db"));
              sim.client("clock", () -> Time.sleep(Duration.ofSeconds(1)));
            });
    assertEquals(1, report.elapsed().toSeconds());
  }

  @Test
  void aCallOnAnotherThreadThatWaitsForWhatCannotComeIsTold() {
    CountDownLatch never = new CountDownLatch(1);
    Offloads offloads = new Offloads(1);
    offloads.inOrder(work -> Thread.ofPlatform().start(work)).execute(() -> await(never));
    try {
      var told = assertThrows(IllegalStateException.class, () -> offloads.makeNext(() -> {}));
      assertEquals("where it waits", told.getCause().getMessage());
    } finally {
      never.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
