// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How many tasks of a group run, how many wait, and who waits with them.
@SuppressWarnings("try") // closing a group waits, and throws what failed
class TaskGroupLimitTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final List<Object> log = new ArrayList<>();
  private int running;
  private int peak;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  @Behaviour({"TA85", "TA86"})
  void exactlyThatManyRunAtATimeAndTheSlowestIsWaitedFor(int limit) throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(limit)) {
            for (int i = 0; i < 8; i++) {
              int item = i;
              group.spawn(() -> work(item, item == 7 ? 60 : 1));
            }
            assertEquals(IntStream.range(0, 8).boxed().toList(), group.all());
          }
        });

    assertEquals(limit, peak);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  @Behaviour({"TA85", "TA86"})
  void likewiseWhereTheTasksAreProducedOneByOne(int limit) throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(limit)) {
            group.spawnAll(() -> slowly(8));
            assertEquals(IntStream.range(0, 8).boxed().toList(), group.all());
          }
        });

    assertEquals(limit, peak);
  }

  /// Making the next one waits, too.
  private Iterator<Body<Integer>> slowly(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i -> {
              Time.sleep(Duration.ofSeconds(1));
              return (Body<Integer>) () -> work(i, i == count - 1 ? 60 : 1);
            })
        .iterator();
  }

  @Test
  @Behaviour("TA82")
  void aFullQueueSuspendsTheSpawner() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(1).queue(2)) {
            for (int i = 1; i <= 3; i++) {
              int item = i;
              group.spawn(() -> workAndTell(item));
            }
            log.add("three at once");
            group.spawn(() -> workAndTell(4));
            log.add("fourth");
          }
        });

    assertEquals(
        List.of("three at once", "ended 1", "fourth", "ended 2", "ended 3", "ended 4"), log);
  }

  @Test
  void withoutSayingTwiceTheLimitWait() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(2)) {
            for (int i = 0; i < 6; i++) {
              group.spawn(() -> work(0, 1));
            }
            log.add("six at once");
            assertThrows(
                TimeoutException.class,
                () -> Time.timeout(Duration.ofSeconds(1), () -> group.spawn(() -> work(0, 1))));
            assertEquals(6, group.size());
          }
        });

    assertEquals(List.of("six at once"), log);
  }

  @Test
  void withoutAQueueTheSpawnerWaitsForAPlaceToRun() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(1).queue(0)) {
            group.spawn(() -> workAndTell(1));
            group.spawn(() -> workAndTell(2));
            log.add("second spawned");
          }
        });

    assertEquals(List.of("ended 1", "second spawned", "ended 2"), log);
  }

  @Test
  void spawnersAreServedInOrderAndOneThatLeavesIsPassedOver() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(1).queue(0)) {
            group.spawn(() -> workAndTell(0));
            List<Coroutine<?>> spawners = new ArrayList<>();
            for (int i = 1; i <= 4; i++) {
              int item = i;
              spawners.add(Coroutine.spawn(() -> group.spawn(() -> workAndTell(item))));
            }
            Coroutine.pause();
            spawners.get(1).cancel();
            assertThrows(Resumed.class, () -> spawners.get(2).resume());
            for (Coroutine<?> spawner : List.of(spawners.get(0), spawners.get(3))) {
              spawner.await();
            }
            assertThrows(CancellationException.class, spawners.get(1)::await);
            assertEquals(List.of(0, 1, 4), group.all());
          }
        });

    assertEquals(List.of("ended 0", "ended 1", "ended 4"), log);
  }

  @Test
  void resultsKeepTheOrderOfSpawningAlsoAfterOneHasGivenUp() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(1).queue(0)) {
            group.spawn(() -> workAndTell(0));
            Coroutine<?> leaving = Coroutine.spawn(() -> group.spawn(() -> 1));
            Coroutine<?> staying = Coroutine.spawn(() -> group.spawn(() -> workAndTell(2)));
            Coroutine.pause();
            leaving.cancel();
            assertThrows(CancellationException.class, leaving::await);
            group.limit(3);
            group.spawn(() -> 3);
            staying.await();

            assertEquals(3, group.size());
            assertEquals(List.of(0, 2, 3), group.all());
          }
        });
  }

  /// The place was given before the spawner is resumed: the task keeps it.
  @Test
  void aSpawnerResumedTooLateHasSpawned() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(1).queue(0)) {
            Coroutine<Integer> first = group.spawn(() -> workAndTell(1));
            List<Coroutine<?>> spawner = new ArrayList<>();
            Coroutine<?> impatient =
                Coroutine.spawn(
                    () -> {
                      first.await();
                      assertThrows(Resumed.class, () -> spawner.getFirst().resume());
                    });
            spawner.add(Coroutine.spawn(() -> group.spawn(() -> workAndTell(2))));
            impatient.await();

            assertEquals(List.of(1, 2), group.all());
          }
        });
  }

  @Test
  void aTaskOfTheGroupNeverWaitsToSpawn() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(1).queue(0)) {
            group.spawn(
                () -> {
                  for (int i = 1; i <= 3; i++) {
                    int item = i;
                    group.spawn(() -> workAndTell(item));
                  }
                  log.add("spawned");
                  return 0;
                });
            assertEquals(List.of(0, 1, 2, 3), group.all());
          }
        });

    assertEquals(List.of("spawned", "ended 1", "ended 2", "ended 3"), log);
  }

  @Test
  void oneThatIsCancelledInTheQueueGivesItsPlaceToTheNext() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(1).queue(1)) {
            group.spawn(() -> workAndTell(1));
            Coroutine<Integer> queued = group.spawn(() -> workAndTell(2));
            assertEquals(Status.CREATED, queued.status());
            assertTrue(queued.cancel());
            assertThrows(CancellationException.class, queued::await);
            group.spawn(() -> workAndTell(3));
            log.add("third spawned");
          }
        });

    assertEquals(List.of("third spawned", "ended 1", "ended 3"), log);
    assertEquals(1, peak);
  }

  @Test
  void raisingTheLimitStartsMore() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(1).queue(9)) {
            for (int i = 0; i < 4; i++) {
              group.spawn(() -> work(0, 1));
            }
            Coroutine.pause();
            assertEquals(1, running);
            group.limit(3);
            Coroutine.pause();
            assertEquals(3, running);
          }
        });
  }

  @InLoop
  @Test
  void limitsThatMakeNoSenseAreRefused() throws Exception {
    try (TaskGroup<Integer> group = TaskGroup.open()) {
      assertThrows(IllegalArgumentException.class, () -> group.limit(0));
      assertThrows(IllegalArgumentException.class, () -> group.queue(-1));
    }
  }

  // ---- produced

  @Test
  void anEndlessSourceIsTakenFromOnlyAsTasksEnd() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          List<Integer> produced = new ArrayList<>();
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(2).queue(0)) {
            group.spawnAll(
                () ->
                    Stream.iterate(0, i -> i + 1)
                        .map(
                            i -> {
                              produced.add(i);
                              return (Body<Integer>) () -> work(i, 1);
                            })
                        .iterator());
            for (Outcome<Integer> outcome : group) {
              log.add(outcome.get());
              if (log.size() == 10) {
                group.cancel();
                break;
              }
            }
          }
          assertTrue(produced.size() <= 13, produced::toString);
          assertEquals(2, peak);
        });

    assertEquals(IntStream.range(0, 10).boxed().toList(), log);
  }

  @Test
  void aSourceThatFailsFailsTheGroup() throws Exception {
    IllegalStateException failure = new IllegalStateException("of the source");
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.open()) {
            group.spawn(() -> work(1, 600));
            group.spawnAll(
                () ->
                    Stream.<Body<Integer>>generate(
                            () -> {
                              throw failure;
                            })
                        .iterator());
            assertSame(failure, assertThrows(IllegalStateException.class, group::all));
          }
          assertEquals(0, running);
        });
  }

  // ---- time

  /// An hour and more of limits, deadlines and timeouts, in the twinkling of an eye.
  @Test
  void aTestClockDrivesGroupsAndDeadlines() throws Exception {
    TestClock clock = new TestClock();
    long start = System.nanoTime();
    Loop.run(
        clock.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(2).queue(0)) {
            for (int i = 0; i < 60; i++) {
              int item = i;
              group.spawn(() -> work(item, 2));
            }
            assertEquals(60, group.all().size());
          }
          try (Scope scope = Scope.open()) {
            scope.cancelAfter(Duration.ofHours(1));
            scope.spawn(() -> Time.sleep(Duration.ofDays(1)));
          }
          assertThrows(
              TimeoutException.class,
              () -> Time.timeout(Duration.ofHours(1), () -> Time.sleep(Duration.ofDays(1))));
        });

    Duration taken = Duration.ofNanos(System.nanoTime() - start);
    assertTrue(taken.compareTo(Duration.ofMinutes(20)) < 0, () -> "took " + taken);
    assertTrue(clock.elapsed().compareTo(Duration.ofHours(2)) > 0, clock.elapsed()::toString);
  }

  // ---- deadlocks

  @Test
  @Behaviour("TA53")
  void aSpawnerThatWaitsForEverIsPartOfTheDeadlock() {
    Deadlock deadlock =
        assertThrows(
            Deadlock.class,
            () ->
                Loop.run(
                    () -> {
                      try (TaskGroup<Object> group = TaskGroup.open().limit(1).queue(0)) {
                        group.spawn(() -> Coroutine.halt()).named("the halted");
                        group.spawn(() -> Coroutine.halt()).named("never");
                      }
                    }));

    assertTrue(deadlock.getMessage().contains("the halted SUSPENDED"), deadlock::getMessage);
    assertTrue(deadlock.getMessage().contains("awaiting a place for"), deadlock::getMessage);
    assertEquals(2, deadlock.coroutines().size());
  }

  private int workAndTell(int item) {
    work(item, 1);
    log.add("ended " + item);
    return item;
  }

  private int work(int item, int minutes) {
    running++;
    peak = Math.max(peak, running);
    try {
      Time.sleep(MINUTE.multipliedBy(minutes));
    } finally {
      running--;
    }
    return item;
  }

  @Test
  void anEndlessSupplyEndsWhenTheGroupIsCancelledWhileOneIsBeingMade() throws Exception {
    AtomicInteger made = new AtomicInteger();
    Loop.run(
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(2).queue(0)) {
            Trigger<String> start = new Trigger<>();
            Supplier<Body<Integer>> next =
                () -> {
                  int number = made.incrementAndGet();
                  assertTrue(number < 1000, "it runs away");
                  return () -> {
                    start.await();
                    if (number == 2) {
                      group.cancel(); // when the end of the first has made a place
                    }
                    return number;
                  };
                };
            group.spawnAll(() -> Stream.generate(next).iterator());
            Coroutine.pause();
            Coroutine.pause();
            start.trigger("now");
          }
        });

    assertTrue(made.get() <= 4, "made " + made);
  }

  @InLoop
  @Test
  void anEndlessSupplyWithoutALimitLetsOthersRun() throws Exception {
    AtomicInteger made = new AtomicInteger();
    try (TaskGroup<Integer> group = TaskGroup.open()) {
      Supplier<Body<Integer>> next =
          () -> {
            int number = made.incrementAndGet();
            assertTrue(number < 1000, "it runs away");
            return () -> number;
          };
      group.spawnAll(() -> Stream.generate(next).iterator());

      assertEquals(1, group.any());
    }
  }
}
