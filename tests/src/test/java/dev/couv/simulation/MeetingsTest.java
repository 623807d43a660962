// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Action;
import dev.couv.coro.Coroutine;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Seeds that run at once in one VM, and whose coroutines meet at locks of the JDK: each has the history that it has alone.
final class MeetingsTest {
  private static final int SEEDS = 8;
  private static final int ROUNDS = 50;
  private static final long HELD_NANOS = 20_000;

  private static final Object MONITOR = new Object();
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final ConcurrentMap<String, Long> MAP = new ConcurrentHashMap<>();
  private static final AtomicLong SINK = new AtomicLong();

  @Test
  void atAMonitor() throws Exception {
    assertAlike(
        () -> {
          synchronized (MONITOR) {
            hold();
          }
        });
  }

  @Test
  void atALock() throws Exception {
    assertAlike(
        () -> {
          LOCK.lock();
          try {
            hold();
          } finally {
            LOCK.unlock();
          }
        });
  }

  @Test
  void atABinOfAMap() throws Exception {
    assertAlike(
        () ->
            MAP.compute(
                "one",
                (_, before) -> {
                  hold();
                  return before == null ? 1 : before + 1;
                }));
  }

  /// It goes on without a word to its loop, and is known all the same. Nobody is waited for who has only let others run.
  @Test
  void atAMonitorAfterAYield() throws Exception {
    assertAlike(
        () -> {
          Thread.yield();
          synchronized (MONITOR) {
            hold();
          }
        });
  }

  /// Who joins a thread of the same loop waits at a latch, which is no lock: the time for locks is as long afterwards.
  @Tag("loop-scheduled-engine") // the other blocks with it
  @Test
  void atAMonitorAfterThreadsWereJoined() throws Exception {
    assertAlike(
        3,
        () -> {
          for (int i = 0; i < 5; i++) {
            Thread.startVirtualThread(() -> SINK.incrementAndGet()).join();
          }
          synchronized (MONITOR) {
            hold(100 * HELD_NANOS);
          }
        });
  }

  /// All threads of a VM are in one map.
  @Test
  void whereThreadsBegin() throws Exception {
    assertAlike(
        () -> {
          List<Coroutine<?>> more = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            more.add(Coroutine.spawn(() -> hold()));
          }
          for (Coroutine<?> each : more) {
            each.await();
          }
        });
  }

  /// That one only another coroutine of the same thread lets go of: the others have their turns.
  @Tag("loop-scheduled-engine") // the other blocks with it
  @Test
  void aLockOfAnotherCoroutineIsNotWaitedForForever() {
    Scenario scenario =
        sim ->
            sim.client(
                "user",
                () -> {
                  ReentrantLock own = new ReentrantLock();
                  AtomicInteger taken = new AtomicInteger();
                  List<Coroutine<?>> all = new ArrayList<>();
                  for (int i = 0; i < 3; i++) {
                    all.add(
                        Coroutine.spawn(
                            () -> {
                              own.lock();
                              try {
                                Coroutine.pause();
                                taken.incrementAndGet();
                              } finally {
                                own.unlock();
                              }
                            }));
                  }
                  for (Coroutine<?> each : all) {
                    each.await();
                  }
                  assertEquals(3, taken.get());
                });
    assertEquals(Simulation.run(1, scenario).hash(), Simulation.run(1, scenario).hash());
  }

  private static void assertAlike(Action meets) throws Exception {
    assertAlike(ROUNDS, meets);
  }

  private static void assertAlike(int rounds, Action meets) throws Exception {
    Scenario scenario = sim -> world(sim, rounds, meets);
    List<SimReport> alone = new ArrayList<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      alone.add(Simulation.run(seed, scenario));
    }
    SimReport[] together = new SimReport[SEEDS];
    List<Thread> threads = new ArrayList<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      int own = seed;
      threads.add(Thread.ofPlatform().start(() -> together[own] = Simulation.run(own, scenario)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(alone, List.of(together));
  }

  /// Others of the same loop are ready whenever somebody meets: they would be first.
  private static void world(Simulation sim, int rounds, Action meets) {
    for (String name : List.of("one", "two")) {
      sim.client(
          name,
          () -> {
            List<Coroutine<?>> all = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
              all.add(
                  Coroutine.spawn(
                      () -> {
                        for (int round = 0; round < rounds; round++) {
                          meets.run();
                          Time.sleep(Duration.ofMillis(1 + round % 2));
                        }
                      }));
            }
            for (Coroutine<?> each : all) {
              each.await();
            }
          });
    }
  }

  /// As long as others need to come.
  private static void hold() {
    hold(HELD_NANOS);
  }

  private static void hold(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0) {
      SINK.incrementAndGet();
    }
  }
}
