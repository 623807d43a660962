// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.loop.Census;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Whole programs: the static run.
class LoopRunTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = Collections.synchronizedList(new ArrayList<>());

  @Test
  void itReturnsTheResultOfMain() throws Exception {
    assertEquals("result", Loop.run(() -> "result"));
    assertNull(Loop.run(() -> null));
  }

  @Test
  void itReturnsOnlyWhenNoCoroutineIsLeft() throws Exception {
    Object result =
        Loop.run(
            JumpingTime.options(),
            () -> {
              Coroutine.spawn(
                  () -> {
                    Time.sleep(HOUR);
                    Coroutine.spawn(() -> log.add("grandchild"));
                  });
              return "result";
            });

    assertEquals("result", result);
    assertEquals(List.of("grandchild"), log);
  }

  /// Nobody closed the scope, but its coroutine is there.
  @Test
  void itWaitsForTheCoroutinesOfAScopeThatWasNotClosed() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Scope forgotten = openScope();
          forgotten.spawn(
              () -> {
                Time.sleep(HOUR);
                log.add("slept");
              });
        });

    assertEquals(List.of("slept"), log);
  }

  private static Scope openScope() {
    return Scope.open();
  }

  @InLoop
  @Test
  void mainIsNamedMainAndItsThreadToo() throws Exception {
    assertEquals("main", Coroutine.current().name());
    assertEquals("main", Thread.currentThread().getName());
    assertEquals(Status.RUNNING, Coroutine.current().status());
    assertTrue(Loop.current().isRunning());
  }

  @Test
  @Behaviour("TA1")
  void aSpawnedCoroutineRunsWhenItsSpawnerSuspends() throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> spawned = Coroutine.spawn(() -> log.add("spawned"));
          log.add("main");
          assertEquals(Status.READY, spawned.status());
          Coroutine.pause();
          log.add("main again");
        });

    assertEquals(List.of("main", "spawned", "main again"), log);
  }

  @Test
  void aThousandRunsLeaveNothingBehind() throws Exception {
    for (int i = 0; i < 1000; i++) {
      int number = i;
      assertEquals(i, Loop.run(() -> Coroutine.spawn(() -> number).await()));
    }
  }

  // ---- inside a coroutine

  @InLoop
  @Test
  void insideACoroutineItComposes() throws Exception {
    Loop outer = Loop.current();

    String result =
        Loop.run(
            () -> {
              assertSame(outer, Loop.current());
              Coroutine.spawn(
                  () -> {
                    Coroutine.pause();
                    log.add("child of the inner run");
                  });
              return "inner";
            });

    assertEquals("inner", result);
    assertEquals(List.of("child of the inner run"), log);
  }

  @InLoop
  @Test
  void insideACoroutineTheFailureIsThrownThere() throws Exception {
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                Loop.run(
                    () -> {
                      throw new IOException("inner main");
                    }));
    assertEquals("inner main", thrown.getMessage());
  }

  @Test
  void insideACoroutineAnUnclaimedFailureEndsTheInnerRunOnly() throws Exception {
    Loop.run(
        () -> {
          assertThrows(
              IOException.class,
              () ->
                  Loop.run(
                      () -> {
                        Coroutine.spawn(
                            () -> {
                              throw new IOException("inner child");
                            });
                        Time.sleep(HOUR);
                      }));
          Coroutine.pause();
          log.add("outer goes on");
        });

    assertEquals(List.of("outer goes on"), log);
  }

  @InLoop
  @Test
  void cancellingTheCoroutineCancelsTheInnerRun() throws Exception {
    Coroutine<?> outer =
        Coroutine.spawn(
            () ->
                Loop.run(
                    () -> {
                      try {
                        Time.sleep(HOUR);
                      } finally {
                        log.add("inner unwound");
                      }
                    }));
    Coroutine.pause();
    Coroutine.pause();

    outer.cancel();

    assertThrows(CancellationException.class, outer::await);
    assertEquals(List.of("inner unwound"), log);
  }

  @Test
  void insideACoroutineOptionsAreRefused() throws Exception {
    Loop.run(
        () -> {
          IllegalArgumentException refused =
              assertThrows(
                  IllegalArgumentException.class,
                  () -> Loop.run(JumpingTime.options(), () -> log.add("begun")));
          assertTrue(refused.getMessage().contains("options"), refused.getMessage());
        });

    assertEquals(List.of(), log);
  }

  @Test
  void runsNestThreeDeep() throws Exception {
    assertEquals(3, Loop.run(() -> 1 + Loop.run(() -> 1 + Loop.run(() -> 1))));
  }

  // ---- halting

  @Test
  void haltEndsTheRunWithTheResultThatMainHas() throws Exception {
    Object result =
        Loop.run(
            () -> {
              Coroutine.spawn(
                  () -> {
                    try {
                      Time.sleep(HOUR);
                    } finally {
                      log.add("cancelled");
                    }
                  });
              Coroutine.pause();
              Loop.current().halt();
              return "result";
            });

    assertEquals("result", result);
    assertEquals(List.of("cancelled"), log);
  }

  // ---- on virtual threads

  @Test
  void onAVirtualThreadTheLoopGetsAThreadOfItsOwn() throws Exception {
    CompletableFuture<Object> result = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                result.complete(
                    Loop.run(
                        () -> {
                          Time.sleep(Duration.ofMillis(1));
                          return Coroutine.spawn(() -> "from there").await();
                        }));
              } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
              }
            });

    assertEquals("from there", result.get(60, TimeUnit.SECONDS));
  }

  @Test
  void onAVirtualThreadFailuresAreThrownAsTheyAre() throws Exception {
    IOException failure = new IOException("its own");
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () ->
                thrown.complete(
                    assertThrows(
                        Throwable.class,
                        () ->
                            Loop.run(
                                () -> {
                                  throw failure;
                                }))));

    assertSame(failure, thrown.get(60, TimeUnit.SECONDS));
  }

  /// The run is over when it throws, not some time later.
  @Test
  void interruptingAVirtualThreadEndsItsRunFirst() throws Exception {
    CountDownLatch sleeping = new CountDownLatch(1);
    CompletableFuture<Integer> openLoops = new CompletableFuture<>();
    Action main =
        () -> {
          try {
            sleeping.countDown();
            Time.sleep(HOUR);
          } finally {
            Coroutine.protect(() -> Time.sleep(Duration.ofMillis(20)));
          }
        };
    Thread runner =
        Thread.startVirtualThread(
            () -> {
              log.add(assertThrows(Throwable.class, () -> Loop.run(main)).getClass());
              openLoops.complete(Census.loops().size());
            });
    assertTrue(sleeping.await(60, TimeUnit.SECONDS));

    runner.interrupt();

    assertEquals(0, openLoops.get(60, TimeUnit.SECONDS));
    assertEquals(List.of(InterruptedException.class), log);
  }

  @Test
  void anInterruptedVirtualThreadRunsNothing() throws Exception {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              Thread.currentThread().interrupt();
              thrown.complete(
                  assertThrows(Throwable.class, () -> Loop.run(() -> log.add("begun"))));
            });

    assertEquals(InterruptedException.class, thrown.get(60, TimeUnit.SECONDS).getClass());
    assertEquals(List.of(), log);
  }
}
