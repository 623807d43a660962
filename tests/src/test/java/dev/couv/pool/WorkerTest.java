// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.error.BusyException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/// Bodies that run elsewhere, step by step.
class WorkerTest {
  private final List<Object> log = Collections.synchronizedList(new ArrayList<>());

  private static Worker<Integer, Integer> adder() {
    return Worker.create(
        first -> {
          int total = first;
          while (true) {
            total += Worker.<Integer, Integer>yield(total);
          }
        });
  }

  @InLoop
  @Test
  @Behaviour({"SC18", "SC19"})
  void eachResumeIsAStep() throws Exception {
    try (Worker<Integer, Integer> one = adder();
        Worker<Integer, Integer> other = adder()) {
      assertEquals(WorkerStatus.SUSPENDED, one.status());
      assertEquals(1, one.resume(1));
      assertEquals(10, other.resume(10));
      assertEquals(3, one.resume(2));
      assertEquals(6, one.resume(3));
      assertEquals(30, other.resume(20));
    }
  }

  @InLoop
  @Test
  void theBodyRunsOnAnotherThreadAndTheLoopGoesOn() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Thread here = Thread.currentThread();
    Worker<Integer, Integer> worker =
        Worker.create(
            first -> {
              assertNotEquals(here, Thread.currentThread());
              while (go.getCount() > 0) {
                Thread.sleep(1); // where there is one processor it is a coroutine's, too
              }
              return first;
            });
    Coroutine<Integer> step = Coroutine.spawn(() -> worker.resume(1));
    Coroutine.pause();
    assertEquals(WorkerStatus.RUNNING, worker.status());
    assertThrows(IllegalStateException.class, worker::close);
    go.countDown();
    assertEquals(1, step.await());
    assertEquals(WorkerStatus.DEAD, worker.status());
  }

  @Test
  @Behaviour("SC03")
  void onlyACoroutineResumes() throws Exception {
    Worker<Integer, Integer> worker = adder();
    assertThrows(IllegalStateException.class, () -> worker.resume(1));
    assertEquals(WorkerStatus.SUSPENDED, worker.status());
    worker.close();
  }

  @InLoop
  @Test
  @Behaviour({"SC04", "SC06", "SC16"})
  void aFailureIsThrownOnceAndThenItIsDead() throws Exception {
    Error failure = new Error("on purpose");
    Worker<Integer, Integer> worker =
        Worker.create(
            first -> {
              throw failure;
            });
    assertSame(failure, assertThrows(Error.class, () -> worker.resume(1)));
    assertEquals(WorkerStatus.DEAD, worker.status());
    assertThrows(IllegalStateException.class, () -> worker.resume(1));
    worker.close();
    worker.close();
  }

  @InLoop
  @Test
  @Behaviour("SC10")
  void anythingIsPassedBothWays() throws Exception {
    Worker<Object, Object> echo =
        Worker.create(
            first -> {
              Object value = first;
              while (true) {
                value = Worker.<Object, Object>yield(value);
              }
            });
    for (Object value : Arrays.asList(null, false, 1, 2.5, "text", List.of(1, 2))) {
      assertSame(value, echo.resume(value));
    }
    echo.close();
  }

  @Test
  @Behaviour({"SC11", "SC15"})
  void aClosedOneUnwindsAndIsDead() throws Exception {
    AtomicBoolean unwound = new AtomicBoolean();
    Loop.run(
        () -> {
          Worker<Integer, Integer> worker =
              Worker.create(
                  first -> {
                    try {
                      return Worker.<Integer, Integer>yield(first);
                    } finally {
                      unwound.set(true);
                    }
                  });
          assertEquals(1, worker.resume(1));
          worker.close();
          assertEquals(WorkerStatus.DEAD, worker.status());
          assertThrows(IllegalStateException.class, () -> worker.resume(2));
          Worker<Integer, Integer> fresh = adder();
          fresh.close();
          assertThrows(IllegalStateException.class, () -> fresh.resume(1));
        });
    until(unwound::get);
  }

  @InLoop
  @Test
  void aSecondResumeMeanwhileIsRefused() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Worker<Integer, Integer> worker =
        Worker.create(
            first -> {
              go.await();
              return first;
            });
    Coroutine<Integer> step = Coroutine.spawn(() -> worker.resume(1));
    Coroutine.pause();
    assertThrows(BusyException.class, () -> worker.resume(2));
    go.countDown();
    assertEquals(1, step.await());
  }

  @Test
  void whoComesWhenAStepJustEndsFindsItBusyOrFree() throws Exception {
    Worker<Integer, Integer> worker =
        Worker.create(
            first -> {
              int total = first;
              while (true) {
                total += Worker.<Integer, Integer>yield(total);
              }
            });
    List<CompletableFuture<Integer>> turns = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      turns.add(
          CompletableFuture.supplyAsync(() -> resumeOften(worker), Thread::startVirtualThread));
    }
    int steps = 0;
    for (CompletableFuture<Integer> turn : turns) {
      steps += turn.get();
    }
    int taken = steps;
    Loop.run(() -> assertEquals(taken, worker.resume(0)));
    worker.close();
  }

  private static int resumeOften(Worker<Integer, Integer> worker) {
    try {
      return Loop.run(
          () -> {
            int steps = 0;
            for (int i = 0; i < 1000; i++) {
              try {
                worker.resume(1);
                steps++;
              } catch (BusyException another) {
                Thread.onSpinWait();
              }
            }
            return steps;
          });
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  @InLoop
  @Test
  @Behaviour({"SC22", "SC23"})
  void aCancelledAwaitLeavesTheStepRunningAndDropsItsOutcome() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Worker<Integer, Integer> worker =
        Worker.create(
            first -> {
              go.await();
              int next = Worker.<Integer, Integer>yield(first);
              return -next;
            });
    Coroutine<Integer> step = Coroutine.spawn(() -> worker.resume(1));
    Coroutine<?> resumed =
        Coroutine.spawn(() -> assertThrows(BusyException.class, () -> worker.resume(5)));
    Coroutine.pause();
    step.cancel();
    assertThrows(CancellationException.class, step::await);
    resumed.await();
    assertEquals(WorkerStatus.RUNNING, worker.status());
    go.countDown();
    while (worker.status() == WorkerStatus.RUNNING) {
      Coroutine.pause();
    }
    assertEquals(-2, worker.resume(2));
  }

  @InLoop
  @Test
  void aResumedAwaitLeavesTheStepToo() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Worker<Integer, Integer> worker =
        Worker.create(
            first -> {
              go.await();
              return first;
            });
    Coroutine<?> step = Coroutine.spawn(() -> assertThrows(Resumed.class, () -> worker.resume(1)));
    Coroutine.pause();
    step.resume();
    step.await();
    go.countDown();
  }

  @Test
  @Behaviour("SC20")
  void coroutinesOfSeveralLoopsTakeTurns() throws Exception {
    Worker<Integer, Integer> worker = adder();
    Loop.run(() -> log.add(worker.resume(1)));
    Loop.run(() -> log.add(worker.resume(2)));
    Loop.run(() -> Coroutine.spawn(() -> log.add(worker.resume(3))).await());
    worker.close();

    assertEquals(List.of(1, 3, 6), log);
  }

  @Test
  @Behaviour("SC12")
  void oneThatNobodyRefersToIsClosed() throws Exception {
    AtomicBoolean unwound = new AtomicBoolean();
    Loop.run(() -> forget(unwound));
    until(
        () -> {
          System.gc();
          return unwound.get();
        });
  }

  private static void forget(AtomicBoolean unwound) throws Exception {
    Worker<Integer, Integer> worker =
        Worker.create(
            first -> {
              try {
                return Worker.<Integer, Integer>yield(first);
              } finally {
                unwound.set(true);
              }
            });
    assertEquals(1, worker.resume(1));
  }

  @InLoop
  @Test
  @Behaviour("SC14")
  void oneThatOnlyItsWaiterRefersToGoesOn() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Coroutine<Integer> step =
        Coroutine.spawn(
            () ->
                Worker.<Integer, Integer>create(
                        first -> {
                          go.await();
                          return first;
                        })
                    .resume(1));
    Coroutine.pause();
    System.gc();
    go.countDown();
    assertEquals(1, step.await());
  }

  @Test
  void aBodyThatIsNoneCannotYield() {
    assertThrows(IllegalStateException.class, () -> Worker.yield(1));
  }

  @InLoop
  @Test
  void aBodyHasNoLoopUnlessItRunsOne() throws Exception {
    Worker<Integer, Object> worker =
        Worker.create(
            first -> {
              assertThrows(IllegalStateException.class, Coroutine::current);
              assertNull(LoopPool.current());
              return Loop.run(() -> Coroutine.current().name());
            });
    assertEquals("main", worker.resume(1));
  }

  private static void until(BooleanSupplier holds) {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!holds.getAsBoolean()) {
      assertFalse(System.nanoTime() - limit > 0, "it did not come to that");
      Thread.onSpinWait();
    }
    assertTrue(holds.getAsBoolean());
  }
}
