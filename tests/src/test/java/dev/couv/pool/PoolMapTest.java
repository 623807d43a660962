// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static dev.couv.Patience.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.sync.Chan;
import dev.couv.sync.Promise;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// One function for many items, on a pool.
class PoolMapTest {
  private final List<Object> log = Collections.synchronizedList(new ArrayList<>());

  @Test
  @Behaviour("TP21")
  void resultsAreInTheOrderOfTheItems() throws Exception {
    List<Integer> items = IntStream.range(0, 100).boxed().toList();
    List<Integer> squares = items.stream().map(n -> n * n).toList();
    try (LoopPool pool = LoopPool.open(2)) {
      assertEquals(squares, pool.map(items, n -> n * n));
      Loop.run(() -> assertEquals(squares, pool.map(items, n -> n * n)));
      assertEquals(List.of(), pool.map(List.<Integer>of(), n -> n));
    }
  }

  @Test
  void whoMapsIsNotWokenByEachTask() throws Exception {
    List<Integer> items = IntStream.range(0, 100).boxed().toList();
    try (LoopPool pool = LoopPool.open(1)) {
      Loop.run(
          () -> {
            long before = Loop.current().stats().iterations();
            // Each task lets the loop of whoever maps go to sleep, where the end of the one before
            // could wake it.
            pool.map(
                items,
                n -> {
                  Time.sleep(Duration.ofMillis(1));
                  return n;
                });
            assertTrue(Loop.current().stats().iterations() - before < 10);
          });
    }
  }

  @InLoop
  @Test
  void theFirstFailureIsThrownWhicheverItemHasIt() {
    try (LoopPool pool = LoopPool.open(1)) {
      Promise<Integer> never = Promise.outside(() -> {});
      IOException thrown =
          assertThrows(
              IOException.class,
              () ->
                  pool.map(
                      List.of(1, 2, 3),
                      n -> {
                        if (n == 3) {
                          throw new IOException("third");
                        }
                        return never.await();
                      }));
      assertEquals("third", thrown.getMessage());
      assertEquals(0, pool.stats().tasks());
    }
  }

  @Test
  void noneOutlivesACallerWhoIsCancelled() throws Exception {
    List<Integer> items = IntStream.range(0, 10).boxed().toList();
    try (LoopPool pool = LoopPool.open(2)) {
      Loop.run(
          () -> {
            var mapping =
                Coroutine.spawn(
                    () ->
                        pool.map(
                            items,
                            n -> {
                              Time.sleep(Duration.ofDays(1));
                              return n;
                            }));
            Coroutine.pause();
            mapping.cancel();
            assertThrows(CancellationException.class, mapping::await);
            assertEquals(0, pool.stats().tasks());
          });
      Thread.currentThread().interrupt();
      assertThrows(
          InterruptedException.class,
          () ->
              pool.map(
                  items,
                  n -> {
                    Time.sleep(Duration.ofDays(1));
                    return n;
                  }));
      assertEquals(0, pool.stats().tasks());
    }
  }

  @Test
  void resultsComeAsTheyAreReady() throws Exception {
    try (LoopPool pool = LoopPool.open(1)) {
      Map<Integer, Promise<Integer>> ready = new ConcurrentHashMap<>();
      List.of(1, 2, 3).forEach(n -> ready.put(n, Promise.outside(() -> {})));
      Chan<Integer> results = pool.mapUnordered(List.of(3, 1, 2), n -> ready.get(n).await());
      for (int n : List.of(1, 2, 3)) {
        ready.get(n).complete(n * n);
        assertEquals(n * n, results.receive());
      }
      assertThrows(ClosedException.class, results::receive);
      assertFalse(pool.mapUnordered(List.<Integer>of(), n -> n).iterator().hasNext());
    }
  }

  @Test
  void resultsEndHoweverTheTasksDo() throws Exception {
    LoopPool pool = LoopPool.open(1);
    Chan<Integer> broken =
        pool.mapUnordered(
            List.of(1),
            n -> {
              throw new StackOverflowError("on purpose");
            });
    assertTrue(
        assertThrows(ClosedException.class, broken::receive).getCause()
            instanceof StackOverflowError);
    Chan<Integer> cancelled =
        pool.mapUnordered(
            List.of(1, 2),
            n -> {
              Time.sleep(Duration.ofDays(1));
              return n;
            });
    pool.resize(0);
    Chan<Integer> rejected = pool.mapUnordered(List.of(1, 2), n -> n);
    pool.cancel();
    assertThrows(ClosedException.class, cancelled::receive);
    assertThrows(ClosedException.class, rejected::receive);
    pool.close();
    assertThrows(ClosedException.class, () -> pool.mapUnordered(List.of(1), n -> n));
  }

  @Test
  void aFailureOfOneOrOfTheItemsCancelsTheOthers() throws Exception {
    Iterable<Integer> twoAndAFailure =
        () -> IntStream.range(0, 3).map(n -> n < 2 ? n : 1 / (n - 2)).boxed().iterator();
    Collection<Integer> items =
        new AbstractCollection<>() {
          @Override
          public Iterator<Integer> iterator() {
            return twoAndAFailure.iterator();
          }

          @Override
          public int size() {
            return 10; // which is wrong
          }
        };
    try (LoopPool pool = LoopPool.open(1)) {
      Promise.Step<Integer, Integer> forever =
          n -> {
            Time.sleep(Duration.ofDays(1));
            return n;
          };
      assertThrows(ArithmeticException.class, () -> pool.map(items, forever));
      assertThrows(ArithmeticException.class, () -> pool.mapUnordered(items, forever));
      Chan<Integer> failing =
          pool.mapUnordered(
              IntStream.range(0, 5000).boxed().toList(),
              n -> n == 4999 ? 1 / (n - 4999) : forever.apply(n));
      assertThrows(ClosedException.class, failing::receive);
      Chan<Integer> go = Chan.create(0);
      Chan<Integer> unwanted =
          pool.mapUnordered(List.of(1, 0), n -> go.receive() == n ? n : forever.apply(n));
      until(() -> go.stats().receivers() == 2);
      unwanted.close();
      go.send(0);
      go.send(0);
      until(() -> pool.stats().tasks() == 0);
    }
  }

  @Test
  void theFirstFailureOfAMapCancelsTheRest() throws Exception {
    try (LoopPool pool = LoopPool.open(1)) {
      Promise<Void> started = new Promise<>();
      assertThrows(
          IllegalStateException.class,
          () ->
              pool.map(
                  List.of(0, 1),
                  n -> {
                    if (n == 0) {
                      started.await();
                      throw new IllegalStateException("on purpose");
                    }
                    started.complete(null);
                    Time.sleep(Duration.ofDays(1));
                    return n;
                  }));
    }
  }

  /// Also one that no task lives to tell.
  @Test
  void aFailureEndsTheResultsWithItsReason() throws Exception {
    try (LoopPool pool = LoopPool.open(1)) {
      for (Throwable cause : List.of(new IllegalStateException("on purpose"), new Error("too"))) {
        Chan<Integer> failing =
            pool.mapUnordered(
                List.of(1, 2),
                n -> {
                  if (cause instanceof Error error) {
                    throw error;
                  }
                  throw (Exception) cause;
                });
        assertSame(cause, assertThrows(ClosedException.class, failing::receive).getCause());
      }
    }
    LoopPool none = LoopPool.open(0);
    Chan<Integer> results = none.mapUnordered(List.of(1, 2), n -> n);
    none.cancel();
    assertTrue(
        assertThrows(ClosedException.class, results::receive).getCause()
            instanceof CancellationException);
  }

  @Test
  void resultsThatNobodyWantsAreNotComputed() throws Exception {
    try (LoopPool pool = LoopPool.open(1)) {
      Promise<Integer> go = Promise.outside(() -> {});
      Chan<Integer> results =
          pool.mapUnordered(
              List.of(1, 2, 3),
              n -> {
                log.add(n);
                return go.await() + n;
              });
      until(() -> pool.stats().suspended() == 3);
      pool.resize(0);
      Chan<Integer> unwanted = pool.mapUnordered(List.of(4, 5), n -> log.add(n) ? n : 0);
      unwanted.close();
      go.complete(0);
      pool.resize(1);
      for (int n : List.of(1, 2, 3)) {
        assertEquals(n, results.receive());
      }
    }

    assertEquals(List.of(1, 2, 3), log);
  }
}
