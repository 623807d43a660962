// SPDX-License-Identifier: Apache-2.0
package dev.couv.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class TimeoutTest {
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Duration FOR_EVER = Duration.ofDays(1);

  private final TestClock clock = new TestClock();

  private static void assertTimedOut(TimeoutException thrown, Duration duration) {
    assertEquals("not done within " + duration, thrown.getMessage());
  }

  // ---- in time

  @Test
  void resultOfABodyThatEndsInTimeIsReturned() throws Exception {
    String result =
        clock.run(
            () ->
                Time.timeout(
                    LONG,
                    () -> {
                      Time.sleep(SHORT);
                      return "result";
                    }));

    assertEquals("result", result);
    assertEquals(SHORT, clock.elapsed());
  }

  @Test
  void nullIsAResult() throws Exception {
    assertNull(clock.<Object>run(() -> Time.timeout(LONG, () -> null)));
  }

  @Test
  void bodyWithoutAResultRunsInTheCallersCoroutine() throws Exception {
    clock.run(
        () -> {
          Coroutine<?> caller = Coroutine.current();
          List<Coroutine<?>> runner = new ArrayList<>();
          Time.timeout(
              LONG,
              () -> {
                runner.add(Coroutine.current());
              });

          assertEquals(List.of(caller), runner);
        });
  }

  @Test
  void exceptionOfTheBodyIsThrownAsItIs() throws Exception {
    clock.run(
        () -> {
          for (Throwable thrown :
              List.of(
                  new IOException("io"),
                  new IllegalStateException("state"),
                  new AssertionError("error"),
                  new TimeoutException("the body's own"))) {
            Throwable caught =
                assertThrows(
                    Throwable.class,
                    () ->
                        Time.timeout(
                            LONG,
                            () -> {
                              Time.sleep(SHORT);
                              if (thrown instanceof Error error) {
                                throw error;
                              }
                              throw (Exception) thrown;
                            }));
            assertSame(thrown, caught);
          }
          assertEquals(0, Loop.current().stats().timers());
        });
  }

  @Test
  void deadlineIsForgottenWhenTheBodyHasEnded() throws Exception {
    clock.run(
        () -> {
          for (int i = 0; i < 10_000; i++) {
            Time.timeout(FOR_EVER, () -> {});
          }

          assertEquals(0, Loop.current().stats().timers());
          Time.sleep(FOR_EVER.multipliedBy(2)); // and nothing happens to it
        });
  }

  // ---- out of time

  @Test
  void bodyThatWaitsTooLongIsLeftOnTheMoment() throws Exception {
    clock.run(
        () -> {
          TimeoutException thrown =
              assertThrows(
                  TimeoutException.class, () -> Time.timeout(SHORT, () -> Time.sleep(LONG)));

          assertTimedOut(thrown, SHORT);
          assertInstanceOf(Cancelled.class, thrown.getCause());
          assertEquals(0, Loop.current().stats().timers());
        });

    assertEquals(SHORT, clock.elapsed());
  }

  @InLoop
  @Test
  void timeoutIsNotEarlyByTheRealClock() throws Exception {
    for (long nanos : new long[] {1, 400_000, 1_000_000, 3_000_000}) {
      Duration duration = Duration.ofNanos(nanos);
      long start = System.nanoTime();
      assertThrows(
          TimeoutException.class, () -> Time.timeout(duration, () -> Time.sleep(FOR_EVER)));
      long passed = System.nanoTime() - start;

      assertTrue(passed >= nanos && passed < nanos + 60_000_000_000L, () -> passed + " ns");
    }
  }

  @Test
  void coroutineGoesOnNormallyAfterATimeout() throws Exception {
    clock.run(
        () -> {
          for (int i = 0; i < 3; i++) {
            assertThrows(TimeoutException.class, () -> Time.timeout(SHORT, () -> Time.sleep(LONG)));
            Time.sleep(SHORT);
            Coroutine.pause();
          }
        });

    assertEquals(SHORT.multipliedBy(6), clock.elapsed());
  }

  @Test
  void everyAwaitOfABodyWhoseTimeIsOverThrows() throws Exception {
    List<String> story = new ArrayList<>();
    clock.run(
        () -> {
          assertThrows(
              TimeoutException.class,
              () ->
                  Time.timeout(
                      SHORT,
                      () -> {
                        try {
                          Time.sleep(LONG);
                        } catch (Cancelled first) {
                          assertThrows(Cancelled.class, () -> Time.sleep(LONG));
                          assertThrows(Cancelled.class, Coroutine::pause);
                          assertThrows(Cancelled.class, () -> Time.after(LONG).await());
                          story.add("unwinding");
                          throw first;
                        }
                      }));
        });

    assertEquals(List.of("unwinding"), story);
    assertEquals(SHORT, clock.elapsed());
  }

  @Test
  void bodyThatSwallowsItsCancellationReturnsItsResult() throws Exception {
    clock.run(
        () -> {
          String result =
              Time.timeout(
                  SHORT,
                  () -> {
                    try {
                      Time.sleep(LONG);
                      return "slept";
                    } catch (Cancelled swallowed) {
                      return "stubborn";
                    }
                  });

          assertEquals("stubborn", result);
          Time.sleep(SHORT); // it is not cancelled any more
        });
  }

  @Test
  void bodyThatFailsWhileItUnwindsFailsWithThat() throws Exception {
    clock.run(
        () -> {
          IOException thrown =
              assertThrows(
                  IOException.class,
                  () ->
                      Time.timeout(
                          SHORT,
                          () -> {
                            try {
                              Time.sleep(LONG);
                            } catch (Cancelled unwinding) {
                              throw new IOException("cleaning up failed", unwinding);
                            }
                          }));

          assertInstanceOf(Cancelled.class, thrown.getCause());
        });
  }

  @InLoop
  @Test
  void bodyThatOnlyComputesIsNotDisturbed() throws Exception {
    int result =
        Time.timeout(
            Duration.ofNanos(1),
            () -> {
              long start = System.nanoTime();
              while (System.nanoTime() - start < 2_000_000) {
                Thread.onSpinWait();
              }
              return 42;
            });

    assertEquals(42, result);
  }

  @Test
  void resultThatMeetsTheDeadlineIsReturned() throws Exception {
    clock.run(
        () -> {
          Coroutine<String> other =
              Coroutine.spawn(
                  () -> {
                    Time.sleep(SHORT);
                    return "just in time";
                  });
          Coroutine.pause(); // its deadline is the first of the two at that moment

          assertEquals("just in time", Time.timeout(SHORT.plusNanos(1), other::await));
        });
  }

  @Test
  void awaitThatEndedBeforeTheDeadlineIsNotLost() throws Exception {
    TestClock manual = TestClock.manual();
    manual.run(
        () -> {
          Coroutine<String> limited =
              Coroutine.spawn(
                  () ->
                      Time.timeout(
                          LONG,
                          () -> {
                            Time.sleep(SHORT);
                            return "slept";
                          }));
          Coroutine.pause();
          manual.advance(FOR_EVER); // both moments have passed when the loop looks

          assertEquals("slept", limited.await());
        });
  }

  @Test
  void zeroIsOverAtTheFirstWait() throws Exception {
    clock.run(
        () -> {
          assertEquals("no wait", Time.timeout(Duration.ZERO, () -> "no wait"));
          assertThrows(
              TimeoutException.class, () -> Time.timeout(Duration.ZERO, () -> Time.sleep(SHORT)));
          assertThrows(
              TimeoutException.class,
              () -> Time.timeout(Duration.ZERO, () -> Time.sleep(Duration.ofNanos(1))));
          assertThrows(
              TimeoutException.class,
              () ->
                  Time.timeout(
                      Duration.ZERO,
                      () -> {
                        while (true) {
                          Coroutine.pause();
                        }
                      }));
        });

    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @InLoop
  @Test
  void busyBodyThatOnlyPausesIsStopped() throws Exception {
    assertThrows(
        TimeoutException.class,
        () ->
            Time.timeout(
                Duration.ofMillis(2),
                () -> {
                  while (true) {
                    Coroutine.pause();
                  }
                }));
  }

  // ---- nested

  @Test
  void innerTimeoutIsTheOneThatIsOverFirst() throws Exception {
    clock.run(
        () ->
            assertEquals(
                "went on",
                Time.timeout(
                    LONG,
                    () -> {
                      TimeoutException inner =
                          assertThrows(
                              TimeoutException.class,
                              () -> Time.timeout(SHORT, () -> Time.sleep(FOR_EVER)));
                      assertTimedOut(inner, SHORT);
                      Time.sleep(SHORT);
                      return "went on";
                    })));

    assertEquals(SHORT.multipliedBy(2), clock.elapsed());
  }

  @Test
  void outerTimeoutUnwindsThroughTheInner() throws Exception {
    List<String> story = new ArrayList<>();
    clock.run(
        () -> {
          TimeoutException thrown =
              assertThrows(
                  TimeoutException.class,
                  () ->
                      Time.timeout(
                          SHORT,
                          () -> {
                            try {
                              Time.timeout(LONG, () -> Time.sleep(FOR_EVER));
                            } catch (TimeoutException wrong) {
                              story.add("the inner one says it was");
                            } finally {
                              story.add("left");
                            }
                          }));

          assertTimedOut(thrown, SHORT);
          assertEquals(0, Loop.current().stats().timers());
        });

    assertEquals(List.of("left"), story);
  }

  @Test
  void timeoutsThatAreOverAtOnceUnwindToOneOfThemAndNoFurther() throws Exception {
    clock.run(
        () -> {
          List<String> story = new ArrayList<>();
          TimeoutException thrown =
              assertThrows(
                  TimeoutException.class,
                  () ->
                      Time.timeout(
                          SHORT,
                          () -> {
                            try {
                              Time.timeout(SHORT, () -> Time.sleep(FOR_EVER));
                            } catch (TimeoutException inner) {
                              story.add("inner");
                            }
                            Time.sleep(FOR_EVER); // in any case there is no time for this
                          }));

          assertTimedOut(thrown, SHORT);
          assertTrue(story.size() <= 1);
          Time.sleep(SHORT);
        });

    assertEquals(SHORT.multipliedBy(2), clock.elapsed());
  }

  @Test
  void outerTimeoutThatIsOverWhileTheInnerUnwindsTakesOver() throws Exception {
    clock.run(
        () -> {
          TimeoutException thrown =
              assertThrows(
                  TimeoutException.class,
                  () ->
                      Time.timeout(
                          LONG,
                          () ->
                              Time.timeout(
                                  SHORT,
                                  () -> {
                                    try {
                                      Time.sleep(FOR_EVER);
                                    } finally {
                                      Coroutine.protect(() -> Time.sleep(LONG));
                                    }
                                  })));

          assertTimedOut(thrown, LONG);
        });
  }

  @Test
  void tenThousandNestedInTenLevelsAreAllLeft() throws Exception {
    clock.run(
        () -> {
          for (int i = 0; i < 1000; i++) {
            assertEquals(10, nested(10));
          }
          assertEquals(0, Loop.current().stats().timers());
        });
  }

  private static int nested(int levels) throws Exception {
    return levels == 0 ? 0 : 1 + Time.timeout(LONG, () -> nested(levels - 1));
  }

  // ---- protected

  @Test
  void protectedStretchIsFinishedBeforeTheTimeoutIsThrown() throws Exception {
    List<String> story = new ArrayList<>();
    clock.run(
        () ->
            assertThrows(
                TimeoutException.class,
                () ->
                    Time.timeout(
                        SHORT,
                        () -> {
                          Coroutine.protect(
                              () -> {
                                Time.sleep(LONG);
                                story.add("finished");
                              });
                          story.add("went on");
                        })));

    assertEquals(List.of("finished"), story);
    assertEquals(LONG, clock.elapsed());
  }

  @Test
  void timeoutInsideAProtectedStretchOfACancelledCoroutineWorks() throws Exception {
    clock.run(
        () -> {
          List<String> story = new ArrayList<>();
          Coroutine<?> cancelled =
              Coroutine.spawn(
                  () -> {
                    try {
                      Time.sleep(FOR_EVER);
                    } finally {
                      Coroutine.protect(
                          () -> {
                            story.add(Time.timeout(LONG, () -> "in time"));
                            assertThrows(
                                TimeoutException.class,
                                () -> Time.timeout(SHORT, () -> Time.sleep(FOR_EVER)));
                            story.add("out of time");
                          });
                    }
                  });
          Coroutine.pause();
          cancelled.cancel();

          assertThrows(CancellationException.class, cancelled::await);
          assertEquals(List.of("in time", "out of time"), story);
        });
  }

  // ---- cancelled, resumed

  @Test
  void cancellationOfTheCoroutineIsNoTimeout() throws Exception {
    clock.run(
        () -> {
          List<String> story = new ArrayList<>();
          Coroutine<?> limited =
              Coroutine.spawn(
                  () -> {
                    try {
                      Time.timeout(LONG, () -> Time.sleep(FOR_EVER));
                    } catch (TimeoutException wrong) {
                      story.add("timeout");
                    }
                  });
          Time.sleep(SHORT);
          limited.cancel();

          assertThrows(CancellationException.class, limited::await);
          assertEquals(Status.CANCELLED, limited.status());
          assertEquals(List.of(), story);
          assertEquals(0, Loop.current().stats().timers());
        });

    assertEquals(SHORT, clock.elapsed());
  }

  @Test
  void cancellationThatMeetsTheTimeoutWins() throws Exception {
    clock.run(
        () -> {
          List<Coroutine<?>> limited = new ArrayList<>();
          Coroutine.spawn(
              () -> {
                Time.sleep(SHORT);
                assertEquals(Status.READY, limited.getFirst().status()); // its time is over
                limited.getFirst().cancel();
              });
          Coroutine.pause();
          limited.add(Coroutine.spawn(() -> Time.timeout(SHORT, () -> Time.sleep(FOR_EVER))));

          assertThrows(CancellationException.class, () -> limited.getFirst().await());
        });
  }

  @Test
  void cancelledCoroutineBeginsNoTimeout() throws Exception {
    clock.run(
        () -> {
          List<String> story = new ArrayList<>();
          Coroutine<?> cancelled =
              Coroutine.spawn(
                  () -> {
                    Coroutine.current().cancel();
                    Time.timeout(LONG, () -> story.add("begun"));
                  });

          assertThrows(CancellationException.class, cancelled::await);
          assertEquals(List.of(), story);
        });
  }

  @Test
  void resumeOfABodyGoesThroughTheTimeout() throws Exception {
    clock.run(
        () -> {
          Coroutine<?> limited =
              Coroutine.spawn(
                  () -> {
                    Resumed resumed =
                        assertThrows(
                            Resumed.class, () -> Time.timeout(LONG, () -> Time.sleep(FOR_EVER)));
                    assertEquals(List.of("instead"), resumed.values());
                  });
          Coroutine.pause();
          limited.resume("instead");

          assertEquals(Status.DONE, limited.status());
          assertEquals(0, Loop.current().stats().timers());
        });
  }

  @Test
  void timeoutOfAnAwaitDoesNotTouchTheAwaited() throws Exception {
    clock.run(
        () -> {
          Coroutine<String> worker =
              Coroutine.spawn(
                  () -> {
                    Time.sleep(LONG);
                    return "done";
                  });
          assertThrows(TimeoutException.class, () -> Time.timeout(SHORT, worker::await));

          assertEquals("done", worker.await());
        });

    assertEquals(LONG, clock.elapsed());
  }

  @Test
  void timeoutsOfTwoCoroutinesAreTheirOwn() throws Exception {
    clock.run(
        () -> {
          Coroutine<?> patient =
              Coroutine.spawn(() -> Time.timeout(LONG, () -> Time.sleep(SHORT.multipliedBy(2))));
          Coroutine<?> impatient =
              Coroutine.spawn(() -> Time.timeout(SHORT, () -> Time.sleep(LONG)));

          assertThrows(TimeoutException.class, impatient::await);
          patient.await();
        });
  }

  @Test
  void coroutineSpawnedInTheBodyOutlivesTheTimeout() throws Exception {
    clock.run(
        () -> {
          List<Coroutine<String>> spawned = new ArrayList<>();
          assertThrows(
              TimeoutException.class,
              () ->
                  Time.timeout(
                      SHORT,
                      () -> {
                        spawned.add(
                            Coroutine.spawn(
                                () -> {
                                  Time.sleep(LONG);
                                  return "outlived";
                                }));
                        Time.sleep(FOR_EVER);
                      }));

          assertEquals("outlived", spawned.getFirst().await());
        });
  }

  // ---- plain Java code

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void bodyThatBlocksInPlainJavaCodeIsInterrupted() throws Exception {
    TimeoutException sleeping =
        assertThrows(
            TimeoutException.class,
            () -> Time.timeout(Duration.ofMillis(2), () -> Thread.sleep(3_600_000)));
    TimeoutException taking =
        assertThrows(
            TimeoutException.class,
            () -> Time.timeout(Duration.ofMillis(2), () -> new LinkedBlockingQueue<>().take()));

    assertInstanceOf(InterruptedException.class, sleeping.getCause());
    assertInstanceOf(InterruptedException.class, taking.getCause());
    assertFalse(Thread.currentThread().isInterrupted());
    Thread.sleep(1);
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void interruptOfATimeoutDoesNotOutliveIt() throws Exception {
    String result =
        Time.timeout(
            Duration.ofMillis(2),
            () -> {
              LockSupport.parkNanos(3_600_000_000_000L); // returns, and keeps the interrupt
              return "unparked";
            });

    assertEquals("unparked", result);
    assertFalse(Thread.currentThread().isInterrupted());
    Thread.sleep(1);
    Time.sleep(Duration.ofMillis(1));
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void bodyThatSwallowsItsInterruptIsStoppedAtItsNextAwait() throws Exception {
    assertThrows(
        TimeoutException.class,
        () ->
            Time.timeout(
                Duration.ofMillis(2),
                () -> {
                  try {
                    Thread.sleep(3_600_000);
                  } catch (InterruptedException swallowed) {
                    Time.sleep(FOR_EVER);
                  }
                }));
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void interruptByACancelIsNoTimeout() throws Exception {
    Coroutine<?> limited =
        Coroutine.spawn(() -> Time.timeout(FOR_EVER, () -> Thread.sleep(3_600_000)));
    Coroutine.pause();
    limited.cancel();

    assertThrows(CancellationException.class, limited::await);
  }
}
