// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.InLoop;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a group keeps of its tasks, and for how long.
@SuppressWarnings("try") // closing a group waits, and throws what failed
class TaskGroupRetentionTest {
  private static final int MANY = 1000;
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final List<WeakReference<Object>> made = new ArrayList<>();

  /// Of an endless source: it would fill any memory otherwise.
  @InLoop
  @Test
  void whatWasIteratedIsLetGo() throws Exception {
    try (TaskGroup<Object> group = TaskGroup.open().limit(4)) {
      group.spawnAll(() -> Stream.<Body<Object>>generate(() -> this::make).iterator());
      Iterator<Outcome<Object>> outcomes = group.iterator();
      for (int i = 0; i < MANY; i++) {
        assertTrue(outcomes.next().isValue());
      }

      // Those not handed out yet, and the last: a few more may have ended meanwhile.
      awaitKept(20);
      group.cancel();
    }
  }

  private Object make() {
    Object result = new Object();
    made.add(new WeakReference<>(result));
    return result;
  }

  private void awaitKept(int most) {
    long limit = System.nanoTime() + PATIENCE_NANOS;
    long kept;
    do {
      System.gc();
      kept = made.stream().filter(each -> !each.refersTo(null)).count();
    } while (kept > most && System.nanoTime() - limit < 0);
    assertTrue(kept <= most, kept + " of " + made.size() + " are kept");
  }

  @InLoop
  @Test
  void onlyWhatWasNotIteratedIsToldAgain() throws Exception {
    IOException failure = new IOException("iterated");
    try (TaskGroup<Integer> group = TaskGroup.open()) {
      group.spawn(() -> 1);
      group.spawn(
          () -> {
            throw failure;
          });
      group.spawn(() -> 3);
      Iterator<Outcome<Integer>> outcomes = group.iterator();
      assertEquals(Outcome.value(1), outcomes.next());
      assertEquals(Outcome.failure(failure), outcomes.next());

      assertEquals(List.of(3), group.results());
      assertEquals(List.of(), group.failures());
      assertEquals(List.of(3), group.all());
      assertEquals(3, group.any());
      assertEquals(3, group.race());
      assertEquals(3, group.size());

      assertEquals(Outcome.value(3), outcomes.next());
      assertFalse(outcomes.hasNext());
      assertFalse(group.iterator().hasNext());
      assertEquals(List.of(), group.all());
      assertThrows(IllegalStateException.class, group::any);
    }
  }

  /// What one takes is not taken from those who were there before.
  @InLoop
  @Test
  void iteratorsDoNotTakeFromEachOther() throws Exception {
    try (TaskGroup<Integer> group = TaskGroup.open()) {
      IntStream.range(0, 3).forEach(i -> group.spawn(() -> i));
      Iterator<Outcome<Integer>> slow = group.iterator();
      Iterator<Outcome<Integer>> fast = group.iterator();
      fast.next();
      fast.next();

      assertEquals(Outcome.value(0), slow.next());
      assertEquals(Outcome.value(2), group.iterator().next());
      assertEquals(Outcome.value(1), slow.next());
      assertEquals(Outcome.value(2), slow.next());
      assertEquals(Outcome.value(2), fast.next());
    }
  }

  @Test
  void resultsAreInTheOrderOfSpawningHoweverTheTasksEnd() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (TaskGroup<Integer> group = TaskGroup.open()) {
            for (int i = 0; i < 5; i++) {
              int place = i;
              group.spawn(
                  () -> {
                    for (int turn = 0; turn < (place * 3) % 5; turn++) {
                      Coroutine.pause();
                    }
                    return place;
                  });
            }
            assertEquals(List.of(0, 1, 2, 3, 4), group.all());
          }
        });
  }

  @InLoop
  @Test
  void pendingTasksCanBeCounted() throws Exception {
    try (TaskGroup<Object> group = TaskGroup.open().limit(1)) {
      assertEquals(0, group.pending());
      Coroutine<?> runs = group.spawn(() -> Coroutine.halt());
      Coroutine<?> waits = group.spawn(() -> "queued");
      Coroutine.pause();
      assertEquals(2, group.pending());
      assertEquals(2, group.size());

      runs.resume();
      waits.await();
      assertEquals(0, group.pending());
      assertEquals(2, group.size());
    }
  }

  // ---- failures

  @Test
  void laterFailuresAreSuppressedInTheFirstUpToABound() throws Exception {
    List<IOException> failures = new ArrayList<>();
    Loop.run(
        () -> {
          IOException thrown =
              assertThrows(
                  IOException.class,
                  () -> {
                    try (TaskGroup<Object> group = TaskGroup.open()) {
                      for (int i = 0; i < MANY; i++) {
                        group.spawn(() -> fail(failures));
                      }
                    }
                  });

          assertSame(failures.getFirst(), thrown);
        });

    Throwable[] suppressed = failures.getFirst().getSuppressed();
    assertSame(failures.get(1), suppressed[0]);
    assertTrue(suppressed.length < 100, suppressed.length + " are kept");
    assertTrue(
        suppressed[suppressed.length - 1].getMessage().contains("others failed"),
        () -> Arrays.toString(suppressed));
  }

  @Test
  void theSameGoesForAScope() throws Exception {
    List<IOException> failures = new ArrayList<>();
    Loop.run(
        () -> {
          IOException thrown =
              assertThrows(
                  IOException.class,
                  () -> {
                    try (Scope scope = Scope.open(ScopePolicy.SUPERVISE)) {
                      for (int i = 0; i < MANY; i++) {
                        scope.spawn(() -> fail(failures));
                      }
                    }
                  });

          assertSame(failures.getFirst(), thrown);
        });

    assertTrue(failures.getFirst().getSuppressed().length < 100);
  }

  /// One exception that all of them throw neither suppresses itself nor grows.
  @Test
  void oneFailureOfManyTasksIsToldOnce() throws Exception {
    IOException first = new IOException("first");
    IOException same = new IOException("same");
    Loop.run(
        () -> {
          IOException thrown =
              assertThrows(
                  IOException.class,
                  () -> {
                    try (TaskGroup<Object> group = TaskGroup.open()) {
                      for (IOException each : List.of(first, same, same, first, same)) {
                        group.spawn(
                            () -> {
                              throw each;
                            });
                      }
                    }
                  });
          assertSame(first, thrown);
        });

    assertEquals(List.of(same), List.of(first.getSuppressed()));
    assertEquals(0, same.getSuppressed().length);
  }

  private static Object fail(List<IOException> failures) throws IOException {
    IOException failure = new IOException("failure " + failures.size());
    failures.add(failure);
    throw failure;
  }
}
