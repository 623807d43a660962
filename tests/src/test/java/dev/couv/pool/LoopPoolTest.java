// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static dev.couv.Patience.spinUntil;
import static dev.couv.Patience.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Body;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Deadlock;
import dev.couv.coro.Loop;
import dev.couv.coro.Status;
import dev.couv.loop.Census;
import dev.couv.sync.Chan;
import dev.couv.sync.Impatience;
import dev.couv.sync.Promise;
import dev.couv.testing.Behaviour;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
  @SuppressWarnings("NullAway") // on purpose
  void aBodyThatIsMissingIsRefusedAtOnce() {
    try (LoopPool pool = LoopPool.open(1)) {
      Body<Object> noBody = null;
      Action noAction = null;
      assertThrows(NullPointerException.class, () -> pool.submit(noBody));
      assertThrows(NullPointerException.class, () -> pool.submit(noAction));
      assertEquals(0, pool.stats().tasks());
    }
    assertThrows(NullPointerException.class, () -> Worker.create(null));
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

  @Test
  void aFailureOfManyTasksDoesNotGrow() throws Exception {
    IllegalStateException always = new IllegalStateException("on purpose");
    try (LoopPool pool = LoopPool.open(1)) {
      for (int i = 0; i < 100; i++) {
        assertSame(
            always,
            assertThrows(
                IllegalStateException.class,
                () ->
                    pool.submit(
                            () -> {
                              throw always;
                            })
                        .await()));
      }
    }
    assertTrue(always.getSuppressed().length < 100, always.getSuppressed().length + " suppressed");
  }

  @Test
  void whoIsCancelledOrResumedSubmitsAllTheSame() throws Exception {
    try (LoopPool pool = LoopPool.open(1)) {
      Loop.run(
          () -> {
            Coroutine<?> cleaning =
                Coroutine.spawn(
                    () -> {
                      try {
                        Time.sleep(Duration.ofDays(1));
                      } finally {
                        pool.submit(() -> log.add("cleaned"));
                      }
                    });
            Coroutine.pause();
            cleaning.cancel();
          });
      until(() -> log.contains("cleaned"));
      log.clear();
      AtomicBoolean free = new AtomicBoolean();
      AtomicBoolean held = new AtomicBoolean();
      Loop.run(
          () -> {
            // The pool's thread takes nothing meanwhile: who meets it at a lock waits.
            pool.submit(
                () -> {
                  held.set(true);
                  while (!free.get()) {
                    Thread.onSpinWait();
                  }
                });
            until(held::get);
            // More than may go on without a turn for the others: it never waits.
            Coroutine<?> busy =
                Coroutine.spawn(
                    () -> {
                      for (int i = 0; i < 100; i++) {
                        pool.submit(() -> log.add("ran"));
                      }
                    });
            Coroutine.pause();
            Status status = busy.status();
            free.set(true);
            assertEquals(Status.DONE, status);
          });
    }

    assertEquals(Collections.nCopies(100, "ran"), log);
  }

  @Test
  void aPoolThatCannotHaveItsThreadsHasNone() {
    try (var _ = NativeCalls.replace("uv_loop_init", NativeCalls.failing("uv_loop_init", -24, 2))) {
      assertThrows(RuntimeException.class, () -> LoopPool.open(3));
    }
    until(() -> Census.loops().isEmpty());
  }

  @Test
  void aPoolThatCannotGrowMakesDo() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (LoopPool pool = LoopPool.open(1)) {
      pool.submit(() -> spinUntil(go));
      until(() -> pool.stats().running() == 1);
      pool.resize(2);
      Promise<Integer> second;
      try (var _ = NativeCalls.replace("uv_loop_init", NativeCalls.failing("uv_loop_init", -24))) {
        second = pool.submit(() -> 2);
      }
      assertEquals(1, pool.stats().threads());
      go.countDown();
      assertEquals(2, second.await());
    }
    try (LoopPool none = LoopPool.open(0)) {
      none.resize(1);
      try (var _ = NativeCalls.replace("uv_loop_init", NativeCalls.failing("uv_loop_init", -24))) {
        assertThrows(RuntimeException.class, () -> none.submit(() -> log.add("never")));
      }
      assertEquals(0, none.stats().tasks());
      assertEquals(3, none.submit(() -> 3).await());
    }
    assertEquals(List.of(), log);
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
}
