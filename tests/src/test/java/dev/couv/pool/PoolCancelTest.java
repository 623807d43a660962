// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static dev.couv.Patience.spinUntil;
import static dev.couv.Patience.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.strand.Suspension;
import dev.couv.sync.Chan;
import dev.couv.sync.Promise;
import dev.couv.testing.Behaviour;
import dev.couv.time.Time;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// How tasks and pools end before they are done.
class PoolCancelTest {
  private final List<Object> log = Collections.synchronizedList(new ArrayList<>());

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
  void nothingIsLeftOfATaskThatWasCancelledBeforeAnybodyTookIt() throws Exception {
    try (LoopPool pool = LoopPool.open(0)) {
      WeakReference<?> body = cancelled(pool);

      assertEquals(0, pool.stats().tasks());
      assertEquals(0, pool.stats().pending());
      assertEquals(1, pool.stats().ended());
      until(
          () -> {
            System.gc();
            return body.refersTo(null);
          });
    }
  }

  private static WeakReference<?> cancelled(LoopPool pool) {
    byte[] big = new byte[1 << 16];
    assertTrue(pool.submit(() -> big.length).cancel());
    return new WeakReference<>(big);
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
  void aCancelReachesATaskThatIsJustBeingTaken() throws Exception {
    for (int round = 0; round < 40; round++) {
      LoopPool pool = LoopPool.open(1);
      List<Promise<?>> promises = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        promises.add(pool.submit(() -> Time.sleep(Duration.ofDays(1))));
      }
      for (int i = 0; i < round * 250; i++) {
        Thread.onSpinWait();
      }
      pool.cancel();
      for (Promise<?> promise : promises) {
        assertThrows(CancellationException.class, promise::await);
      }
      pool.close();
      assertEquals(new PoolStats(1, 0, 0, 0, 0, 0, 10), pool.stats());
    }
  }

  @Test
  void aCancelReachesWhatTasksHaveSpawnedAndThreadsThatLeave() throws Exception {
    LoopPool pool = LoopPool.open(2);
    Chan<Integer> chan = Chan.create(0);
    pool.submit(() -> Coroutine.spawn(chan::receive)).await();
    Promise<?> waiting = pool.submit(() -> Time.sleep(Duration.ofDays(1)));
    until(() -> chan.stats().receivers() == 1 && pool.stats().suspended() == 1);
    pool.resize(0);
    pool.cancel();
    pool.close();
    assertThrows(CancellationException.class, waiting::await);
    assertEquals(0, chan.stats().receivers());
  }

  @Test
  void aTaskMayCancelItsPool() throws Exception {
    LoopPool pool = LoopPool.open(2);
    Promise<?> last =
        pool.submit(
            () -> {
              pool.cancel();
              Time.sleep(Duration.ofDays(1));
            });
    assertThrows(CancellationException.class, last::await);
    pool.close();
  }

  @Test
  void aLoopThatBreaksFailsItsTasksAndIsReplaced() throws Exception {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> log.add(thrown.getMessage()));
    try (LoopPool pool = LoopPool.open(1)) {
      CountDownLatch go = new CountDownLatch(1);
      Promise<Object> lost = pool.submit(() -> Chan.create(0).receive());
      Promise<?> breaking =
          pool.submit(
              () -> {
                spinUntil(go);
                Suspension.loop("a test")
                    .post(
                        () -> {
                          throw new Error("planted");
                        });
              });
      until(() -> pool.stats().running() == 1);
      List<Promise<Integer>> queued = new ArrayList<>(); // more than run before it breaks
      for (int i = 0; i < 1000; i++) {
        queued.add(pool.submit(() -> 7));
      }
      go.countDown();
      breaking.await();
      assertThrows(CancellationException.class, lost::await);
      for (Promise<Integer> one : queued) {
        assertEquals(7, one.await());
      }
      until(() -> log.contains("planted"));
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
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

  @Test
  void aCloseThatRacesWithTheLastSubmitWaitsForItsThread() throws Exception {
    for (int round = 0; round < 20; round++) {
      LoopPool pool = LoopPool.open(0);
      pool.resize(2);
      CountDownLatch both = new CountDownLatch(2);
      Thread submitter =
          Thread.ofPlatform()
              .start(
                  () -> {
                    both.countDown();
                    spinUntil(both);
                    try {
                      log.add(pool.submit(() -> 1));
                    } catch (ClosedException late) {
                      log.add(late);
                    }
                  });
      both.countDown();
      spinUntil(both);
      pool.close();
      assertEquals(0, pool.stats().threads());
      submitter.join();
      assertEquals(0, pool.stats().tasks());
    }
  }
}
