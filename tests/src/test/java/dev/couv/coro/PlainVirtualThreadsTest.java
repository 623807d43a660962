// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static dev.couv.Patience.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Virtual threads that coroutines start by themselves, and what coroutines take over from the thread
/// that made them.
class PlainVirtualThreadsTest {
  private final List<Object> log = Collections.synchronizedList(new ArrayList<>());

  // ---- they outlive the loop

  @Test
  void oneThatWaitsForALatchEndsAfterTheLoop() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    CompletableFuture<String> ended = new CompletableFuture<>();
    Loop.run(
        () -> {
          Thread.startVirtualThread(
              () -> {
                await(latch);
                ended.complete("ended");
              });
          Time.sleep(Duration.ofMillis(1));
        });

    latch.countDown(); // by the thread that carried it

    assertEquals("ended", ended.get(60, TimeUnit.SECONDS));
  }

  @Test
  void oneThatSleepsEndsAfterTheLoop() throws Exception {
    CompletableFuture<String> ended = new CompletableFuture<>();
    Loop.run(
        () -> {
          Thread.startVirtualThread(
              () -> {
                sleep(30);
                sleep(1);
                ended.complete("ended");
              });
          Time.sleep(Duration.ofMillis(1));
        });

    assertEquals("ended", ended.get(60, TimeUnit.SECONDS));
  }

  @Test
  void oneWhoseSleepIsInterruptedAfterTheLoopEnds() throws Exception {
    CompletableFuture<String> ended = new CompletableFuture<>();
    Thread sleeper =
        Loop.run(
            () -> {
              Thread started =
                  Thread.startVirtualThread(
                      () -> {
                        try {
                          Thread.sleep(3_600_000);
                        } catch (InterruptedException expected) {
                          ended.complete("interrupted");
                        }
                      });
              Time.sleep(Duration.ofMillis(1));
              return started;
            });

    sleeper.interrupt();

    assertEquals("interrupted", ended.get(60, TimeUnit.SECONDS));
  }

  /// More than the loop runs in one turn, and it ends right after they were started.
  @Test
  void thoseThatHadNoTurnYetGetOneAfterTheLoop() throws Exception {
    CountDownLatch all = new CountDownLatch(1000);
    Loop.run(
        () -> {
          for (int i = 0; i < 1000; i++) {
            Thread.startVirtualThread(all::countDown);
          }
        });

    assertTrue(all.await(60, TimeUnit.SECONDS), () -> all.getCount() + " are missing");
  }

  @Test
  void thoseThatAreWokenWhileTheLoopEndsEndToo() throws Exception {
    for (int round = 0; round < 50; round++) {
      CountDownLatch waiting = new CountDownLatch(10);
      CountDownLatch ended = new CountDownLatch(10);
      CountDownLatch latch = new CountDownLatch(1);
      Thread waker =
          Thread.ofPlatform()
              .start(
                  () -> {
                    await(waiting);
                    latch.countDown();
                  });
      Loop.run(
          () -> {
            for (int i = 0; i < 10; i++) {
              Thread.startVirtualThread(
                  () -> {
                    waiting.countDown();
                    await(latch);
                    ended.countDown();
                  });
            }
            Loop.offload(
                () -> {
                  waiting.await();
                  return null;
                });
          });
      waker.join();

      assertTrue(ended.await(60, TimeUnit.SECONDS), () -> ended.getCount() + " are missing");
    }
  }

  @Test
  void anExecutorOfThemIsClosedInACoroutine() throws Exception {
    int sum =
        Loop.run(
            () ->
                Loop.offload(
                    () -> {
                      try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                        Future<Integer> one = executor.submit(() -> 1);
                        Future<Integer> two = executor.submit(() -> 2);
                        return one.get() + two.get();
                      }
                    }));

    assertEquals(3, sum);
  }

  // ---- whose scheduler they have

  /// They run on the loop: only when the coroutine that started them has given up its turn.
  @Test
  @Tag("loop-scheduled-engine")
  void theyTakeTurnsWithTheCoroutines() throws Exception {
    Loop.run(
        () -> {
          Thread.startVirtualThread(() -> log.add("thread"));
          CompletableFuture<?> async = CompletableFuture.runAsync(() -> log.add("common pool"));
          while (!async.isDone()) {
            Thread.onSpinWait();
          }
          log.add("coroutine");
          Coroutine.pause();
        });

    assertEquals(List.of("common pool", "coroutine", "thread"), log);
  }

  @Test
  @Tag("loop-scheduled-engine")
  void anExecutorOfThemWorksInsideACoroutine() throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> other =
              Coroutine.spawn(
                  () -> {
                    Time.sleep(Duration.ofMillis(1));
                    log.add("other");
                  });
          try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 3; i++) {
              executor.submit(
                  () -> {
                    Thread.sleep(10);
                    return log.add("task");
                  });
            }
          }
          log.add("closed");
          other.await();
        });

    assertEquals(List.of("other", "task", "task", "task", "closed"), log);
  }

  // ---- what coroutines inherit

  @Test
  void threadLocalsAreNotInherited() throws Exception {
    ThreadLocal<String> own = new ThreadLocal<>();
    InheritableThreadLocal<String> inheritable = new InheritableThreadLocal<>();
    own.set("of the loop's thread");
    inheritable.set("of the loop's thread");
    try {
      Loop.run(
          () -> {
            assertEquals(null, own.get());
            assertEquals(null, inheritable.get());
            own.set("main's");
            inheritable.set("main's");
            Coroutine.spawn(
                    () -> {
                      assertEquals(null, own.get());
                      assertEquals(null, inheritable.get());
                    })
                .await();
            Coroutine.pause();
            assertEquals("main's", own.get());
          });
    } finally {
      own.remove();
      inheritable.remove();
    }
  }

  /// As with any thread that was not forked by a structured scope.
  @Test
  void scopedValuesAreNotInherited() throws Exception {
    ScopedValue<String> value = ScopedValue.newInstance();
    ScopedValue.where(value, "outside")
        .call(
            () -> {
              Loop.run(
                  () -> {
                    assertFalse(value.isBound());
                    ScopedValue.where(value, "main's")
                        .call(
                            () -> {
                              Coroutine<?> child =
                                  Coroutine.spawn(() -> assertFalse(value.isBound()));
                              child.await();
                              Time.sleep(Duration.ofMillis(1));
                              assertEquals("main's", value.get());
                              return null;
                            });
                  });
              return null;
            });
  }

  @InLoop
  @Test
  void theContextClassLoaderIsTheSystems() throws Exception {
    assertEquals(
        ClassLoader.getSystemClassLoader(),
        Coroutine.spawn(() -> Thread.currentThread().getContextClassLoader()).await());
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
