// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class OffloadTest {
  private final List<Object> log = Collections.synchronizedList(new ArrayList<>());

  @InLoop
  @Test
  void itReturnsTheResultOfAnotherThread() throws Exception {
    Thread there = Loop.offload(Thread::currentThread);

    assertNotSame(Thread.currentThread(), there);
    assertFalse(there.isVirtual());
    assertTrue(there.isDaemon());
    assertNull(Loop.offload(() -> null));
  }

  @InLoop
  @Test
  void itThrowsWhatTheCallThrew() throws Exception {
    IOException failure = new IOException("its own");
    assertSame(
        failure,
        assertThrows(
            IOException.class,
            () ->
                Loop.offload(
                    () -> {
                      throw failure;
                    })));
  }

  @Test
  void othersGoOnMeanwhile() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    Loop.run(
        () -> {
          Coroutine<?> waiting =
              Coroutine.spawn(
                  () -> {
                    Loop.offload(
                        () -> {
                          latch.await();
                          return null;
                        });
                    log.add("offloaded");
                  });
          Time.sleep(Duration.ofMillis(1));
          log.add("meanwhile");
          latch.countDown();
          waiting.await();
        });

    assertEquals(List.of("meanwhile", "offloaded"), log);
  }

  @Test
  void callsRunSideBySide() throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(10);
    Loop.run(
        () -> {
          for (int i = 0; i < 10; i++) {
            Coroutine.spawn(() -> log.add(Loop.offload(() -> barrier.await(60, TimeUnit.SECONDS))));
          }
        });

    assertEquals(10, log.size());
  }

  @Test
  void cancellingInterruptsTheCallAndDoesNotWaitForIt() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Loop.run(
        () -> {
          Coroutine<?> offloading =
              Coroutine.spawn(
                  () ->
                      Loop.offload(
                          () -> {
                            called.countDown();
                            try {
                              new CountDownLatch(1).await();
                            } catch (InterruptedException expected) {
                              interrupted.countDown();
                            }
                            go.await(); // takes its time
                            return "dropped";
                          }));
          Coroutine.pause();
          Loop.offload(() -> called.await(60, TimeUnit.SECONDS));

          offloading.cancel();

          assertThrows(CancellationException.class, offloading::await);
          assertTrue(Loop.offload(() -> interrupted.await(60, TimeUnit.SECONDS)));
        });

    go.countDown(); // after the loop has ended
  }

  @InLoop
  @Test
  void aTimeoutInterruptsTheCall() throws Exception {
    AtomicBoolean begun = new AtomicBoolean();
    CountDownLatch interrupted = new CountDownLatch(1);
    Callable<Boolean> call =
        () -> {
          begun.set(true);
          try {
            return new CountDownLatch(1).await(1, TimeUnit.HOURS);
          } catch (InterruptedException expected) {
            interrupted.countDown();
            throw expected;
          }
        };
    // The other thread may be slow to begin; what has not begun is not interrupted.
    for (int millis = 5; !begun.get(); millis *= 2) {
      Duration limit = Duration.ofMillis(millis);
      assertThrows(TimeoutException.class, () -> Time.timeout(limit, () -> Loop.offload(call)));
    }

    assertTrue(Loop.offload(() -> interrupted.await(60, TimeUnit.SECONDS)));
  }

  @Test
  void aResumedOneDropsTheResultThatComesLater() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    Loop.run(
        () -> {
          Coroutine<?> offloading =
              Coroutine.spawn(
                  () -> {
                    log.add(
                        assertThrows(
                                Resumed.class,
                                () ->
                                    Loop.offload(
                                        () -> {
                                          try {
                                            latch.await();
                                          } catch (InterruptedException ignored) {
                                            latch.await();
                                          }
                                          return "late";
                                        }))
                            .values());
                    log.add(Loop.offload(() -> "second"));
                  });
          Coroutine.pause();

          offloading.resume("instead");
          latch.countDown();
          offloading.await();
        });

    assertEquals(List.of(List.of("instead"), "second"), log);
  }

  @InLoop
  @Test
  void theInterruptOfACancelledCallDoesNotReachTheNextOne() throws Exception {
    for (int i = 0; i < 50; i++) {
      Coroutine<?> cancelled = Coroutine.spawn(() -> Loop.offload(() -> "quick"));
      Coroutine.pause();
      cancelled.cancel();
      assertFalse(Loop.offload(() -> Thread.currentThread().isInterrupted()));
    }
  }

  @Test
  void theLoopDoesNotEndWhileACallIsAwaited() throws Exception {
    Loop.run(() -> Coroutine.spawn(() -> log.add(Loop.offload(() -> "result"))));

    assertEquals(List.of("result"), log);
  }

  @InLoop
  @Test
  void insideTheCallThereIsNoCoroutine() throws Exception {
    IllegalStateException refused =
        Loop.offload(() -> assertThrows(IllegalStateException.class, Coroutine::pause));

    assertTrue(refused.getMessage().contains("Coroutine.pause"), refused.getMessage());
  }

  @Test
  void theCallMayRunALoopOfItsOwn() throws Exception {
    assertEquals(
        "inner",
        Loop.run(() -> Loop.offload(() -> Loop.run(() -> Coroutine.spawn(() -> "inner").await()))));
  }
}
