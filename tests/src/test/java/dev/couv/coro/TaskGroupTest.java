// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// What comes of the tasks of a group.
@SuppressWarnings("try") // closing a group waits, and throws what failed
class TaskGroupTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  // ---- all

  @Test
  void allGivesTheResultsInTheOrderTheTasksWereSpawned() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<String> group = TaskGroup.open()) {
            group.spawn(() -> after(3, "slow"));
            group.spawn(() -> after(1, "fast"));
            Coroutine<String> middle = group.spawn(() -> after(2, "middle"));

            assertEquals(List.of("slow", "fast", "middle"), group.all());
            assertEquals("middle", middle.await());
            assertEquals(List.of("slow", "fast", "middle"), group.all());
            assertEquals(3, group.size());
            assertTrue(group.isFinished());
            assertEquals(List.of(), group.failures());
          }
        });
  }

  @InLoop
  @Test
  void allOfNoTasksIsEmpty() throws Exception {
    try (TaskGroup<String> group = TaskGroup.open()) {
      assertEquals(List.of(), group.all());
    }
  }

  @Test
  @Behaviour("TA87")
  void theFirstFailureCancelsTheOthersWhenAllAreAwaited() throws Exception {
    IOException first = new IOException("first");
    IllegalStateException second = new IllegalStateException("second");
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<String> group = TaskGroup.<String>open().limit(3)) {
            group.spawn(() -> cancelled("one"));
            group.spawn(() -> after(1, first));
            group.spawn(
                () -> {
                  try {
                    return after(2, "never");
                  } finally {
                    log.add("three");
                    fail(second);
                  }
                });
            group.spawn(() -> after(1, "never begins"));

            assertSame(first, assertThrows(IOException.class, group::all));
            assertTrue(group.isFinished());
          }
        });

    assertEquals(List.of("one", "three"), log);
    assertArrayEquals(new Throwable[] {second}, first.getSuppressed());
  }

  // ---- any and race

  @Test
  void anyPassesOverFailuresAndCancelsTheRest() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Instant start = Time.now();
          try (TaskGroup<String> group = TaskGroup.open()) {
            group.spawn(() -> cancelled("slow"));
            group.spawn(() -> after(1, new IOException("passed over")));
            group.spawn(() -> after(2, "won"));

            assertEquals("won", group.any());
            assertEquals(List.of("slow"), log);
          }
          assertEquals(Duration.ofMinutes(2), Duration.between(start, Time.now()));
        });
  }

  @Test
  void anyOfFailuresOnlyTellsThemAll() throws Exception {
    IOException first = new IOException("first");
    IOException second = new IOException("second");
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<String> group = TaskGroup.open()) {
            group.spawn(() -> after(2, second));
            group.spawn(() -> after(1, first));

            CompositeException all = assertThrows(CompositeException.class, group::any);
            assertEquals(List.of(first, second), all.failures());
          } // and does not throw them again
        });
  }

  @Test
  void raceIsDecidedByTheFirstToEnd() throws Exception {
    IOException failure = new IOException("first");
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<String> group = TaskGroup.open()) {
            group.spawn(() -> after(2, "late"));
            group.spawn(() -> after(1, failure));
            assertSame(failure, assertThrows(IOException.class, group::race));
          }
          try (TaskGroup<String> group = TaskGroup.open()) {
            group.spawn(() -> after(2, failure));
            group.spawn(() -> after(1, "won"));
            assertEquals("won", group.race());
          }
        });
  }

  @Test
  @Behaviour("TA81")
  void aRaceThatIsOverAlreadyDoesNotWait() throws Exception {
    IOException failure = new IOException("first");
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<String> group = TaskGroup.open()) {
            group.spawn(() -> after(1, failure));
            group.spawn(() -> after(2, "second"));
            Time.sleep(HOUR);
            Instant before = Time.now();

            assertSame(failure, assertThrows(IOException.class, group::race));
            assertEquals("second", group.any());
            assertEquals(before, Time.now());
          }
        });
  }

  @InLoop
  @Test
  void withoutTasksThereIsNothingToWaitFor() throws Exception {
    try (TaskGroup<String> group = TaskGroup.open()) {
      assertThrows(IllegalStateException.class, group::any);
      assertThrows(IllegalStateException.class, group::race);
      group.spawnAll(List.of());
      assertThrows(IllegalStateException.class, group::any);
      assertFalse(group.iterator().hasNext());
      assertThrows(NoSuchElementException.class, () -> group.iterator().next());
    }
  }

  // ---- iteration

  @Test
  void iterationTellsOutcomesAsTheTasksEnd() throws Exception {
    IOException failure = new IOException("second");
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<String> group = TaskGroup.open()) {
            group.spawn(() -> after(3, "third"));
            group.spawn(() -> after(1, "first"));
            group.spawn(() -> after(2, failure));

            for (Outcome<String> outcome : group) {
              log.add(outcome);
            }
          } // the failure was handed out: it is not thrown
        });

    assertEquals(
        List.of(Outcome.value("first"), Outcome.failure(failure), Outcome.value("third")), log);
  }

  @Test
  void whatIsSpawnedWhileIteratingIsHandedOutToo() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.open()) {
            group.spawn(() -> 5);
            for (Outcome<Integer> outcome : group) {
              int value = outcome.get();
              log.add(value);
              if (value > 0) {
                group.spawn(() -> value - 1);
              }
            }
          }
        });

    assertEquals(List.of(5, 4, 3, 2, 1, 0), log);
  }

  /// The suspected defect of the seeds: of two that wait, one was never told.
  @Test
  void everyWaiterIsTold() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<String> group = TaskGroup.open()) {
            List<Coroutine<?>> waiters = new ArrayList<>();
            waiters.add(
                Coroutine.spawn(
                    () -> {
                      for (Outcome<String> outcome : group) {
                        log.add(outcome);
                      }
                    }));
            waiters.add(Coroutine.spawn(() -> log.add(group.all())));
            waiters.add(Coroutine.spawn(() -> log.add(group.all())));
            group.spawn(() -> after(1, "result"));
            Time.sleep(Duration.ofSeconds(1));
            for (Coroutine<?> waiter : waiters) {
              waiter.await();
            }
          }
        });

    assertEquals(List.of(Outcome.value("result"), List.of("result"), List.of("result")), log);
  }

  @Test
  void resultsAndFailuresTellWhatIsThereByNow() throws Exception {
    IOException failure = new IOException("x");
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<String> group = TaskGroup.open()) {
            group.spawn(() -> after(3, "later"));
            group.spawn(() -> after(1, "now"));
            group.spawn(() -> after(1, failure));
            Time.sleep(Duration.ofMinutes(2));

            assertEquals(List.of("now"), group.results());
            assertEquals(List.of(failure), group.failures());
            assertFalse(group.isFinished());
          }
        });
  }

  // ---- the end

  @Test
  void closingThrowsFailuresThatNobodyHasSeen() throws Exception {
    IOException first = new IOException("first");
    IOException second = new IOException("second");
    IOException awaited = new IOException("awaited");
    Loop.run(
        JumpingTime.options(),
        () -> {
          IOException thrown =
              assertThrows(
                  IOException.class,
                  () -> {
                    try (TaskGroup<String> group = TaskGroup.open()) {
                      group.spawn(() -> after(2, second));
                      group.spawn(() -> after(1, first));
                      Coroutine<String> seen = group.spawn(() -> after(1, awaited));
                      assertThrows(IOException.class, seen::await);
                      group.spawn(() -> after(3, "the others went on")).await();
                    }
                  });
          assertSame(first, thrown);
        });

    assertArrayEquals(new Throwable[] {second}, first.getSuppressed());
  }

  @Test
  void anExceptionThatLeavesItCancelsTheTasks() throws Exception {
    Loop.run(
        () -> {
          try (TaskGroup<String> group = TaskGroup.open()) {
            group.spawn(() -> cancelled("task"));
            Coroutine.pause();
            throw new IOException("of the body");
          } catch (IOException expected) {
            log.add("caught");
          }
        });

    assertEquals(List.of("task", "caught"), log);
  }

  @Test
  @Behaviour("TA83")
  void aCancelledGroupStartsNoneOfItsQueue() throws Exception {
    Loop.run(
        () -> {
          try (TaskGroup<String> group = TaskGroup.<String>open().limit(1).queue(10)) {
            Coroutine<String> running = group.spawn(() -> cancelled("running"));
            Coroutine<String> queued = group.spawn(() -> log("queued"));
            group.spawn(() -> log("queued"));
            Coroutine.pause();

            group.cancel();

            assertThrows(CancellationException.class, running::await);
            assertThrows(CancellationException.class, queued::await);
            assertThrows(CancellationException.class, group::all);
            assertTrue(group.isCancelled());
            assertTrue(group.isFinished());
            assertEquals(List.of(), group.failures());
          }
        });

    assertEquals(List.of("running"), log);
  }

  @InLoop
  @Test
  void aTaskCannotWaitForItsGroup() throws Exception {
    try (TaskGroup<String> group = TaskGroup.open()) {
      group.spawn(
          () -> {
            assertThrows(IllegalStateException.class, group::all);
            assertThrows(IllegalStateException.class, group::any);
            assertThrows(IllegalStateException.class, group::race);
            assertThrows(IllegalStateException.class, group::iterator);
            assertThrows(IllegalStateException.class, group::close);
            return "refused";
          });
      assertEquals(List.of("refused"), group.all());
    }
  }

  @InLoop
  @Test
  void aClosedGroupTakesNoMore() throws Exception {
    TaskGroup<String> group = TaskGroup.open();
    group.spawn(() -> "kept");
    group.close();

    assertTrue(group.isClosed());
    assertEquals(List.of("kept"), group.results());
    assertEquals(List.of("kept"), group.all());
    assertThrows(IllegalStateException.class, () -> group.spawn(() -> "late"));
    assertThrows(IllegalStateException.class, () -> group.spawnAll(List.of()));
  }

  private String log(String entry) {
    log.add(entry);
    return entry;
  }

  private String cancelled(String name) {
    try {
      Time.sleep(HOUR);
      return "not cancelled";
    } finally {
      log.add(name);
    }
  }

  private static String after(int minutes, String result) {
    Time.sleep(Duration.ofMinutes(minutes));
    return result;
  }

  private static String after(int minutes, IOException failure) throws IOException {
    Time.sleep(Duration.ofMinutes(minutes));
    throw failure;
  }

  private static void fail(RuntimeException failure) {
    throw failure;
  }
}
