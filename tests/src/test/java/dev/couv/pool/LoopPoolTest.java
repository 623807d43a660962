// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Deadlock;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.sync.Chan;
import dev.couv.sync.Impatience;
import dev.couv.sync.Promise;
import dev.couv.testing.Behaviour;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tasks on a pool of loops.
class LoopPoolTest {
  private final List<Object> log = Collections.synchronizedList(new ArrayList<>());

  // ---- tasks

  @Test
  void aTaskRunsAsACoroutineOnAThreadOfThePool() throws Exception {
    try (LoopPool pool = LoopPool.open(2)) {
      Thread here = Thread.currentThread();
      String name =
          pool.submit(
                  () -> {
                    assertNotEquals(here, Thread.currentThread());
                    Time.sleep(Duration.ofMillis(1));
                    return Coroutine.current().name();
                  })
              .await();
      assertTrue(name.contains(pool.toString()), name);
    }
  }

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

  @Test
  @Behaviour("TA98")
  void aFailureIsToldWithTheStacksOfBothSides() throws Exception {
    try (LoopPool pool = LoopPool.open(1)) {
      Exception cause = new Exception("the cause");
      Promise<Object> promise =
          pool.submit(
              () -> {
                throw new IllegalStateException("on purpose", cause);
              });
      IllegalStateException failure = assertThrows(IllegalStateException.class, promise::await);
      assertSame(cause, failure.getCause());
      StackTraceElement[] submitter = failure.getSuppressed()[0].getStackTrace();
      assertTrue(
          List.of(submitter).stream()
              .anyMatch(frame -> frame.getMethodName().startsWith("aFailureIsTold")));
      pool.submit(() -> {}).await();
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

  @Test
  @Behaviour({"TP10", "CH19"})
  void tasksThatWaitHoldNoThread() throws Exception {
    int many = 1000;
    Chan<Integer> chan = Chan.create(0);
    try (LoopPool pool = LoopPool.open(1)) {
      for (int i = 0; i < many; i++) {
        pool.submit(() -> log.add(chan.receive()));
      }
      until(() -> pool.stats().suspended() == many);
      assertEquals(new PoolStats(1, 1, many, 0, 0, many, 0), pool.stats());
      assertEquals(7, pool.submit(() -> 7).await());
      for (int i = 0; i < many; i++) {
        chan.send(i);
      }
      until(() -> pool.stats().tasks() == 0);
      assertEquals(new PoolStats(1, 1, 0, 0, 0, 0, many + 1), pool.stats());
    }

    assertEquals(many, new HashSet<>(log).size());
  }

  @Test
  @Behaviour("CH20")
  void aTaskThatWaitsForSomethingElseTooHoldsNoThreadEither() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    try (LoopPool pool = LoopPool.open(1)) {
      Promise<Object> slow =
          pool.submit(
              () -> {
                Coroutine<Integer> waiting = Coroutine.spawn(chan::receive);
                Time.sleep(Duration.ofMillis(20));
                return waiting.await();
              });
      assertEquals(7, pool.submit(() -> 7).await());
      chan.send(1);
      assertEquals(1, slow.await());
    }
  }

  @Test
  @Behaviour("TP09")
  void oneThreadRunsOneTaskAndTheOthersWaitForIt() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (LoopPool pool = LoopPool.open(1)) {
      List<Promise<?>> promises = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        promises.add(
            pool.submit(
                () -> {
                  spinUntil(go);
                  Coroutine.pause();
                }));
      }
      until(() -> pool.stats().running() == 1);
      assertEquals(new PoolStats(1, 1, 5, 1, 4, 0, 0), pool.stats());
      go.countDown();
      for (Promise<?> promise : promises) {
        promise.await();
      }
    }
  }

  @Test
  void aThreadThatComputesLeavesTheTasksToTheOthers() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (LoopPool pool = LoopPool.open(2)) {
      pool.submit(() -> spinUntil(go));
      until(() -> pool.stats().running() == 1);
      assertEquals(100, pool.map(IntStream.range(0, 100).boxed().toList(), n -> n).size());
      go.countDown();
    }
  }

  @Test
  @Behaviour({"TP05", "TP18"})
  void aTaskKnowsItsPoolAndAddsToIt() throws Exception {
    assertNull(LoopPool.current());
    Loop.run(() -> assertNull(LoopPool.current()));
    try (LoopPool pool = LoopPool.open(1)) {
      int result =
          pool.submit(
                  () -> {
                    assertSame(pool, LoopPool.current());
                    assertThrows(IllegalStateException.class, pool::close);
                    return pool.submit(() -> 3).await();
                  })
              .await();
      assertEquals(3, result);
    }
  }

  // ---- cancelling

  @Test
  @Behaviour("TA103")
  void aCancelledPromiseStopsItsTaskAtTheNextAwait() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    try (LoopPool pool = LoopPool.open(1)) {
      Promise<?> running =
          pool.submit(
              () -> {
                started.countDown();
                try {
                  Time.sleep(Duration.ofDays(1));
                } catch (Cancelled unwinding) {
                  log.add("stopped");
                  throw unwinding;
                }
              });
      started.await();
      running.cancel();
      assertThrows(CancellationException.class, running::await);
    }

    assertEquals(List.of("stopped"), log);
  }

  @Test
  @Behaviour("TA103")
  void aCancelledPromiseOfATaskNobodyHasTakenNeverRuns() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (LoopPool pool = LoopPool.open(1)) {
      pool.submit(() -> spinUntil(go));
      Promise<?> queued = pool.submit(() -> log.add("ran"));
      queued.cancel();
      go.countDown();
    }

    assertEquals(List.of(), log);
  }

  @Test
  @Behaviour("TA105")
  void aCloseRunsWhatWasSubmittedACancelRejectsIt() throws Exception {
    LoopPool drained = LoopPool.open(1);
    Promise<Integer> last = drained.submit(() -> 5);
    drained.close();
    drained.close();
    assertEquals(5, last.await());
    assertThrows(ClosedException.class, () -> drained.submit(() -> 1));

    CountDownLatch go = new CountDownLatch(1);
    LoopPool cancelled = LoopPool.open(1);
    Promise<Integer> running =
        cancelled.submit(
            () -> {
              spinUntil(go);
              return 1;
            });
    until(() -> cancelled.stats().running() == 1);
    Promise<Integer> queued = cancelled.submit(() -> 2);
    cancelled.cancel();
    assertThrows(CancellationException.class, queued::await);
    go.countDown();
    cancelled.close();
    assertEquals(1, running.await());
    assertEquals(0, cancelled.stats().threads());
  }

  @Test
  void aCoroutineThatClosesAPoolDoesNotHoldItsLoop() throws Exception {
    Loop.run(
        () -> {
          LoopPool pool = LoopPool.open(1);
          Promise<Void> go = new Promise<>();
          pool.submit(() -> go.await());
          Coroutine<?> other =
              Coroutine.spawn(
                  () -> {
                    Time.sleep(Duration.ofMillis(1));
                    log.add("meanwhile");
                    go.complete(null);
                  });
          pool.close();
          log.add("closed");
          other.await();
        });

    assertEquals(List.of("meanwhile", "closed"), log);
  }

  // ---- size

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE})
  @Behaviour("TP01")
  void aNegativeSizeIsRefused(int size) {
    assertThrows(IllegalArgumentException.class, () -> LoopPool.open(size));
    try (LoopPool pool = LoopPool.open(0)) {
      assertThrows(IllegalArgumentException.class, () -> pool.resize(size));
    }
  }

  @Test
  @Behaviour({"TP06", "TP08"})
  void threadsAreStartedAtOnce() {
    try (LoopPool none = LoopPool.open(0);
        LoopPool three = LoopPool.open(3)) {
      assertEquals(new PoolStats(0, 0, 0, 0, 0, 0, 0), none.stats());
      assertEquals(new PoolStats(3, 3, 0, 0, 0, 0, 0), three.stats());
    }
  }

  @Test
  @Behaviour({"TP12", "TP13"})
  void aLargerPoolStartsAThreadWhenThereIsATaskForIt() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (LoopPool pool = LoopPool.open(1)) {
      pool.submit(() -> spinUntil(go));
      until(() -> pool.stats().running() == 1);
      pool.resize(4);
      assertEquals(1, pool.stats().threads());
      pool.submit(() -> spinUntil(go));
      assertEquals(2, pool.stats().threads());
      until(() -> pool.stats().running() == 2);
      go.countDown();
    }
  }

  @Test
  @Behaviour({"TP14", "TP16"})
  void aSmallerPoolEndsThreadsAndKeepsTheTasks() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    LoopPool pool = LoopPool.open(5);
    pool.resize(4);
    until(() -> pool.stats().threads() == 4);
    pool.resize(1);
    until(() -> pool.stats().threads() == 1);
    Promise<?> running = pool.submit(() -> spinUntil(go));
    until(() -> pool.stats().running() == 1);
    Promise<Integer> kept = pool.submit(() -> 1);
    pool.resize(0);
    go.countDown();
    running.await();
    until(() -> pool.stats().threads() == 0);
    assertEquals(1, pool.stats().pending());
    pool.resize(1);
    assertEquals(1, kept.await());
    pool.close();
  }

  @Test
  void aThreadThatLeavesFinishesWhatItHas() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    try (LoopPool pool = LoopPool.open(1)) {
      Promise<Integer> waiting = pool.submit(chan::receive);
      until(() -> pool.stats().suspended() == 1);
      pool.resize(0);
      chan.send(1);
      assertEquals(1, waiting.await());
      until(() -> pool.stats().threads() == 0);
    }
  }

  @Test
  void aPoolWithoutThreadsRejectsItsTasksWhenItIsClosed() {
    LoopPool pool = LoopPool.open(0);
    Promise<Integer> never = pool.submit(() -> 1);
    pool.close();
    assertThrows(CancellationException.class, never::await);
  }

  @Test
  void sizesChangeWhileTasksRun() throws Exception {
    Set<Integer> seen = Collections.synchronizedSet(new HashSet<>());
    try (LoopPool pool = LoopPool.open(2)) {
      for (int i = 0; i < 2000; i++) {
        int number = i;
        pool.submit(
            () -> {
              Coroutine.pause();
              assertTrue(seen.add(number));
            });
        if (i % 50 == 0) {
          pool.resize(1 + i / 50 % 4);
        }
      }
    }

    assertEquals(2000, seen.size());
  }

  // ---- the rest of the program

  @Test
  void anIdlePoolDoesNotHideADeadlock() {
    try (Impatience _ = new Impatience(100);
        LoopPool pool = LoopPool.open(2)) {
      assertThrows(Deadlock.class, () -> Loop.run(() -> Chan.<Integer>create(0).receive()));
      pool.submit(() -> 1);
    }
  }

  @Test
  void aTaskThatComputesLongIsWaitedFor() throws Exception {
    try (Impatience _ = new Impatience(50);
        LoopPool pool = LoopPool.open(1)) {
      Loop.run(
          () -> {
            Chan<Integer> chan = Chan.create(0);
            pool.submit(
                () -> {
                  long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(400);
                  while (System.nanoTime() - until < 0) {
                    Thread.onSpinWait();
                  }
                  chan.send(1);
                });
            assertEquals(1, chan.receive());
          });
    }
  }

  private static void spinUntil(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      Thread.onSpinWait();
    }
  }

  private static void until(BooleanSupplier holds) {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!holds.getAsBoolean()) {
      assertTrue(System.nanoTime() - limit < 0, "it did not come to that");
      Thread.onSpinWait();
    }
  }
}
