// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class CancelTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  // ---- in each status

  @InLoop
  @Test
  void oneThatWasOnlyCreatedNeverBegins() throws Exception {
    Coroutine<?> created = Coroutine.create(() -> log.add("begun"));

    assertTrue(created.cancel());

    assertThrows(CancellationException.class, created::await);
    assertEquals(Status.CANCELLED, created.status());
    assertEquals(List.of(), log);
  }

  @InLoop
  @Test
  @Behaviour("TA25")
  void oneThatIsQueuedForItsFirstTurnNeverBegins() throws Exception {
    Coroutine<?> queued = Coroutine.spawn(() -> log.add("begun"));
    assertEquals(Status.READY, queued.status());

    queued.cancel();

    assertThrows(CancellationException.class, queued::await);
    assertEquals(List.of(), log);
  }

  @InLoop
  @Test
  @Behaviour("TA26")
  void oneThatAwaitsUnwindsAtItsNextTurn() throws Exception {
    Coroutine<?> sleeper =
        Coroutine.spawn(
            () -> {
              try {
                Time.sleep(HOUR);
              } finally {
                log.add("finally");
              }
            });
    Coroutine.pause();

    assertTrue(sleeper.cancel("too slow"));
    assertEquals(Status.READY, sleeper.status());
    assertEquals(List.of(), log); // not nested
    Coroutine.pause();

    assertEquals(List.of("finally"), log);
    assertEquals(Status.CANCELLED, sleeper.status());
    CancellationException told = assertThrows(CancellationException.class, () -> sleeper.await());
    assertTrue(told.getMessage().contains("too slow"), told.getMessage());
    assertInstanceOf(Cancelled.class, told.getCause());
    assertEquals(0, Loop.current().stats().timers());
  }

  @InLoop
  @Test
  void oneThatYieldedUnwinds() throws Exception {
    Coroutine<?> generator =
        Coroutine.create(
            () -> {
              try {
                return Coroutine.yield(1);
              } finally {
                log.add("finally");
              }
            });
    generator.resume();

    generator.cancel();

    assertThrows(CancellationException.class, generator::await);
    assertEquals(List.of("finally"), log);
  }

  /// It was woken and has not run since: the await returns, and the next one throws.
  @Test
  void oneWhoseAwaitIsCompleteFinishesThatAwait() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          List<Coroutine<?>> sleepers = new ArrayList<>();
          Action body =
              () -> {
                Time.sleep(Duration.ofSeconds(1));
                log.add("slept");
                sleepers.get(1).cancel();
                Coroutine.pause();
                log.add("second turn");
              };
          sleepers.add(Coroutine.spawn(body));
          sleepers.add(Coroutine.spawn(body));

          sleepers.get(0).await();

          assertThrows(CancellationException.class, sleepers.get(1)::await);
          assertEquals(List.of("slept", "slept", "second turn"), log);
        });
  }

  @InLoop
  @Test
  void oneThatRunsIsStoppedByItsNextAwait() throws Exception {
    Coroutine<?> self =
        Coroutine.spawn(
            () -> {
              assertTrue(Coroutine.current().cancel("by itself"));
              log.add("goes on");
              Coroutine.pause();
              log.add("not reached");
            });

    assertThrows(CancellationException.class, self::await);
    assertEquals(List.of("goes on"), log);
  }

  @InLoop
  @Test
  void oneThatResumesAnotherIsStoppedByItsNextAwait() throws Exception {
    Coroutine<?>[] resumer = new Coroutine<?>[1];
    Coroutine<?> inner =
        Coroutine.create(
            () -> {
              assertEquals(Status.NORMAL, resumer[0].status());
              resumer[0].cancel();
              return "from inner";
            });
    resumer[0] =
        Coroutine.spawn(
            () -> {
              log.add(inner.resume());
              Coroutine.pause();
              log.add("not reached");
            });

    assertThrows(CancellationException.class, resumer[0]::await);
    assertEquals(List.of("from inner"), log);
  }

  @InLoop
  @Test
  @Behaviour("TA27")
  void oneThatHasEndedStaysAsItIs() throws Exception {
    Coroutine<String> done = Coroutine.spawn(() -> "result");
    done.await();

    assertFalse(done.cancel());

    assertEquals("result", done.await());
    assertEquals(Status.DONE, done.status());
  }

  @InLoop
  @Test
  void theSecondCancelDoesNothing() throws Exception {
    Coroutine<?> sleeper = Coroutine.spawn(() -> Time.sleep(HOUR));
    Coroutine.pause();

    assertTrue(sleeper.cancel("first"));
    assertFalse(sleeper.cancel("second"));

    CancellationException told = assertThrows(CancellationException.class, () -> sleeper.await());
    assertTrue(told.getMessage().contains("first"), told.getMessage());
  }

  @Test
  void theMainCoroutineOfARun() {
    CancellationException thrown =
        assertThrows(
            CancellationException.class,
            () ->
                Loop.run(
                    () -> {
                      Coroutine<?> main = Coroutine.current();
                      Coroutine.spawn(() -> main.cancel("by a child"));
                      Time.sleep(HOUR);
                    }));

    assertTrue(thrown.getMessage().contains("by a child"), thrown.getMessage());
  }

  // ---- what it does to the code it reaches

  @InLoop
  @Test
  void everyFurtherAwaitThrowsAgain() throws Exception {
    Coroutine<?> stubborn =
        Coroutine.spawn(
            () -> {
              for (int i = 0; i < 3; i++) {
                try {
                  Time.sleep(HOUR);
                } catch (Cancelled cancelled) {
                  log.add("cancelled");
                }
              }
              assertThrows(Cancelled.class, Coroutine::pause);
              assertThrows(Cancelled.class, Coroutine::halt);
              assertThrows(Cancelled.class, () -> Coroutine.yield(1));
              assertThrows(Cancelled.class, () -> Loop.offload(() -> log.add("called")));
              assertThrows(Cancelled.class, () -> Coroutine.spawn(() -> 1).await());
            });
    Coroutine.pause();

    stubborn.cancel();
    stubborn.await(); // it swallowed the last one, and so it ended with a result

    assertEquals(List.of("cancelled", "cancelled", "cancelled"), log);
    assertEquals(Status.DONE, stubborn.status());
  }

  @InLoop
  @Test
  void catchingExceptionsDoesNotEatIt() throws Exception {
    Coroutine<?> greedy =
        Coroutine.spawn(
            () -> {
              try {
                Time.sleep(HOUR);
              } catch (Exception eaten) {
                log.add(eaten);
              }
              log.add("went on");
            });
    Coroutine.pause();

    greedy.cancel();

    assertThrows(CancellationException.class, greedy::await);
    assertEquals(List.of(), log);
  }

  @Test
  void awaitsInAFinallyThrowUnlessProtected() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<?> sleeper =
              Coroutine.spawn(
                  () -> {
                    try {
                      Time.sleep(HOUR);
                    } finally {
                      assertThrows(Cancelled.class, () -> Time.sleep(Duration.ofMillis(1)));
                      assertThrows(
                          Cancelled.class,
                          () ->
                              Coroutine.protect(
                                  () -> {
                                    Time.sleep(Duration.ofMillis(1));
                                    log.add("said goodbye");
                                  }));
                    }
                  });
          Coroutine.pause();

          sleeper.cancel();

          assertThrows(CancellationException.class, sleeper::await);
          assertEquals(List.of("said goodbye"), log);
        });
  }

  @InLoop
  @Test
  void anExceptionOnTheWayOutIsItsFailure() throws Exception {
    Coroutine<?> failing =
        Coroutine.spawn(
            () -> {
              try {
                Time.sleep(HOUR);
              } catch (Cancelled cancelled) {
                throw new IOException("while cleaning up", cancelled);
              }
            });
    Coroutine.pause();

    failing.cancel();

    assertThrows(IOException.class, failing::await);
    assertEquals(Status.FAILED, failing.status());
  }

  @InLoop
  @Test
  void someoneElsesCancelledIsAFailure() throws Exception {
    List<Cancelled> kept = new ArrayList<>();
    Coroutine<?> sleeper =
        Coroutine.spawn(() -> kept.add(assertThrows(Cancelled.class, () -> Time.sleep(HOUR))));
    Coroutine.pause();
    sleeper.cancel();
    sleeper.await();
    Coroutine<?> thief =
        Coroutine.spawn(
            () -> {
              throw kept.getFirst();
            });

    assertThrows(Cancelled.class, thief::await);
    assertEquals(Status.FAILED, thief.status());
  }

  // ---- protection

  @Test
  @Behaviour("TA30")
  void protectionHoldsItBackUntilTheBodyEnds() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<?> careful =
              Coroutine.spawn(
                  () -> {
                    Coroutine.protect(
                        () -> {
                          Time.sleep(Duration.ofSeconds(1));
                          log.add("protected");
                        });
                    log.add("not reached");
                  });
          Coroutine.pause();

          assertTrue(careful.cancel());

          assertThrows(CancellationException.class, careful::await);
          assertEquals(List.of("protected"), log);
        });
  }

  @Test
  @Behaviour("TA33")
  void protectionNests() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<?> careful =
              Coroutine.spawn(
                  () ->
                      Coroutine.protect(
                          () -> {
                            Coroutine.protect(() -> Time.sleep(Duration.ofSeconds(1)));
                            log.add("inner ended");
                            Time.sleep(Duration.ofSeconds(1));
                            log.add("outer goes on");
                          }));
          Coroutine.pause();

          careful.cancel();

          assertThrows(CancellationException.class, careful::await);
          assertEquals(List.of("inner ended", "outer goes on"), log);
        });
  }

  @Test
  void protectionReturnsTheResultWhenNothingWasHeldBack() throws Exception {
    assertEquals("value", Loop.run(() -> Coroutine.protect(() -> "value")));
  }

  @InLoop
  @Test
  void theFailureOfAProtectedBodyComesBeforeTheCancellation() throws Exception {
    Coroutine<?> careful =
        Coroutine.spawn(
            () -> {
              assertThrows(
                  IOException.class,
                  () ->
                      Coroutine.protect(
                          () -> {
                            Coroutine.pause();
                            throw new IOException("first");
                          }));
              Coroutine.pause();
              log.add("not reached");
            });
    Coroutine.pause();

    careful.cancel();

    assertThrows(CancellationException.class, careful::await);
    assertEquals(List.of(), log);
  }

  @Test
  void aTimeoutInsideAProtectedBodyStillWorks() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<?> careful =
              Coroutine.spawn(
                  () ->
                      Coroutine.protect(
                          () -> {
                            assertThrows(
                                TimeoutException.class,
                                () -> Time.timeout(Duration.ofSeconds(1), () -> Time.sleep(HOUR)));
                            log.add("timed out");
                            Time.sleep(Duration.ofSeconds(1));
                            log.add("and slept");
                          }));
          Coroutine.pause();

          careful.cancel();

          assertThrows(CancellationException.class, careful::await);
          assertEquals(List.of("timed out", "and slept"), log);
        });
  }

  @Test
  void aTimeoutIsHeldBackByProtectionInsideIt() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          assertThrows(
              TimeoutException.class,
              () ->
                  Time.timeout(
                      Duration.ofSeconds(1),
                      () -> {
                        Coroutine.protect(
                            () -> {
                              Time.sleep(Duration.ofSeconds(5));
                              log.add("protected");
                            });
                        log.add("not reached");
                      }));
          Time.sleep(Duration.ofSeconds(1));
          log.add("and goes on");

          assertEquals(List.of("protected", "and goes on"), log);
        });
  }

  // ---- with timeouts

  @Test
  void aTimeoutEndsEveryAwaitOfItsBodyAndNothingElse() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          assertThrows(
              TimeoutException.class,
              () ->
                  Time.timeout(
                      Duration.ofSeconds(1),
                      () -> {
                        assertThrows(Cancelled.class, () -> Time.sleep(HOUR));
                        assertThrows(Cancelled.class, () -> Time.sleep(HOUR));
                        Coroutine.pause();
                      }));

          Time.sleep(HOUR); // as ever
        });
  }

  @Test
  void theOuterTimeoutUnwindsThroughTheInner() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          assertThrows(
              TimeoutException.class,
              () ->
                  Time.timeout(
                      Duration.ofSeconds(1),
                      () -> {
                        try {
                          Time.timeout(Duration.ofSeconds(5), () -> Time.sleep(HOUR));
                        } catch (TimeoutException wrong) {
                          log.add("the inner took the blame");
                        }
                      }));

          assertEquals(List.of(), log);
          assertEquals(0, Loop.current().stats().timers());
        });
  }

  @Test
  void theInnerTimeoutLeavesTheOuterBodyGoing() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () ->
            assertEquals(
                "went on",
                Time.timeout(
                    Duration.ofSeconds(5),
                    () -> {
                      assertThrows(
                          TimeoutException.class,
                          () -> Time.timeout(Duration.ofSeconds(1), () -> Time.sleep(HOUR)));
                      Time.sleep(Duration.ofSeconds(1));
                      return "went on";
                    })));
  }

  @InLoop
  @Test
  void aCancelPassesThroughATimeout() throws Exception {
    Coroutine<?> limited =
        Coroutine.spawn(
            () -> {
              try {
                Time.timeout(HOUR, () -> Time.sleep(HOUR));
              } catch (TimeoutException wrong) {
                log.add(wrong);
              }
            });
    Coroutine.pause();

    limited.cancel();

    assertThrows(CancellationException.class, limited::await);
    assertEquals(List.of(), log);
    assertEquals(0, Loop.current().stats().timers());
  }

  /// Both have happened before the coroutine runs: the outermost wins.
  @Test
  void aCancelAfterTheTimeoutIsACancellation() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<?> limited =
              Coroutine.spawn(
                  () -> {
                    try {
                      Time.timeout(Duration.ofSeconds(1), () -> Time.sleep(HOUR));
                    } catch (TimeoutException alsoTrue) {
                      log.add("timeout");
                      Coroutine.pause();
                    }
                  });
          Coroutine<?> canceller =
              Coroutine.spawn(
                  () -> {
                    Time.sleep(Duration.ofSeconds(1));
                    limited.cancel();
                  });
          canceller.await();

          assertThrows(CancellationException.class, limited::await);
        });
  }

  @InLoop
  @Test
  void aTimeoutThatIsOverBeforeTheBodyAwaitsEndsItAtItsFirstRealWait() throws Exception {
    assertThrows(TimeoutException.class, () -> Time.timeout(Duration.ZERO, () -> Time.sleep(HOUR)));
  }

  @Test
  void aBodyThatEndsInTimeIsNotDisturbedLater() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          assertEquals("v", Time.timeout(Duration.ofSeconds(1), () -> "v"));

          Time.sleep(Duration.ofSeconds(5));
          assertEquals(0, Loop.current().stats().timers());
        });
  }

  // ---- finalizers

  @Test
  @Behaviour("TA35")
  void finalizersOfACancelledCoroutineMayAwait() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<?> sleeper =
              Coroutine.spawn(() -> Time.sleep(HOUR))
                  .onEnd(
                      (_, thrown) -> {
                        assertInstanceOf(Cancelled.class, thrown);
                        Time.sleep(Duration.ofSeconds(1));
                        log.add("finalizer");
                      });
          Coroutine.pause();

          sleeper.cancel();

          assertThrows(CancellationException.class, sleeper::await);
          assertEquals(List.of("finalizer"), log);
        });
  }
}
