// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
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
import org.junit.jupiter.api.Test;

/// Leaving a scope: by its end, by an exception, by a cancellation, or not at all.
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class ScopeLeaveTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  // ---- by an exception

  @Test
  void anExceptionThatLeavesItCancelsItsCoroutinesFirst() throws Exception {
    IOException failure = new IOException("of the body");
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.spawn(() -> sleepAndTell("cancelled"));
            Coroutine.pause();
            throw failure;
          } catch (IOException thrown) {
            assertSame(failure, thrown);
            log.add("caught");
          }
        });

    assertEquals(List.of("cancelled", "caught"), log);
  }

  /// `Throwable` refuses to be suppressed in itself, and that would hide it.
  @Test
  void whatBothTheBodyAndACoroutineWereThrownIsThrownOnce() throws Exception {
    IOException failure = new IOException("of what both await");
    Loop.run(
        () -> {
          Coroutine<?> awaited =
              Scope.open(ScopePolicy.SUPERVISE).onFailure((_, _) -> {}).spawn(() -> fail(failure));
          try (Scope scope = Scope.open()) {
            scope.spawn(() -> awaited.await());
            scope.spawn(() -> Await.all(awaited, awaited));
            awaited.await();
          } catch (IOException thrown) {
            assertSame(failure, thrown);
            log.add("caught");
          }
        });

    assertEquals(List.of("caught"), log);
  }

  private static Object fail(IOException failure) throws IOException {
    throw failure;
  }

  @Test
  void theEndOfTheBlockWaits() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            scope.spawn(() -> sleepAndTell("ended"));
          } catch (IOException never) {
            log.add(never);
          }
        });

    assertEquals(List.of("slept", "ended"), log);
  }

  /// Where the block itself is only reached by way of an exception, its end waits all the same.
  @Test
  void theEndOfABlockInsideOfACatchWaits() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try {
            throw new IOException("first");
          } catch (IOException expected) {
            try (Scope scope = Scope.open()) {
              scope.spawn(() -> sleepAndTell("ended"));
            }
          }
        });

    assertEquals(List.of("slept", "ended"), log);
  }

  @Test
  void leavingByAReturnWaits() throws Exception {
    assertEquals(
        "result",
        Loop.<String>run(
            JumpingTime.options(),
            () -> {
              try (Scope scope = Scope.open()) {
                scope.spawn(() -> sleepAndTell("ended"));
                return "result";
              }
            }));

    assertEquals(List.of("slept", "ended"), log);
  }

  @Test
  void ofTwoScopesInOneBlockTheExceptionCancelsBoth() throws Exception {
    Loop.run(
        () -> {
          try (Scope outer = Scope.open();
              Scope inner = Scope.open()) {
            outer.spawn(() -> sleepAndTell("outer"));
            inner.spawn(() -> sleepAndTell("inner"));
            Coroutine.pause();
            throw new IOException("of the body");
          } catch (IOException expected) {
            log.add("caught");
          }
        });

    assertEquals(List.of("inner", "outer", "caught"), log);
  }

  /// The scope inside is left by its end: it waits. The one around it by the exception that follows.
  @Test
  void onlyTheScopesThatTheExceptionLeavesAreCancelled() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope outer = Scope.open()) {
            outer.spawn(
                () -> {
                  Time.sleep(Duration.ofHours(2));
                  log.add("never");
                });
            try (Scope inner = Scope.open()) {
              inner.spawn(() -> sleepAndTell("inner"));
            }
            throw new IOException("of the body");
          } catch (IOException expected) {
            log.add("caught");
          }
        });

    assertEquals(List.of("slept", "inner", "caught"), log);
  }

  @Test
  void theExceptionOfTheBodyIsThrownAndThoseOfCoroutinesAreSuppressedInIt() throws Exception {
    IOException ofBody = new IOException("of the body");
    IllegalStateException ofChild = new IllegalStateException("of a child");
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.spawn(
                () -> {
                  try {
                    Time.sleep(HOUR);
                  } finally {
                    fail(ofChild);
                  }
                });
            Coroutine.pause();
            throw ofBody;
          } catch (IOException thrown) {
            assertSame(ofBody, thrown);
          }
        });

    assertArrayEquals(new Throwable[] {ofChild}, ofBody.getSuppressed());
  }

  // ---- by a cancellation

  /// A cancellation is silent, a failure is not: it must not hide behind one.
  @InLoop
  @Test
  void aFailureSaysMoreThanTheCancellationOfTheOwner() throws Exception {
    IllegalStateException ofChild = new IllegalStateException("of a child");
    Coroutine<?> owner =
        Coroutine.spawn(
            () -> {
              try (Scope scope = Scope.open()) {
                scope.spawn(
                    () -> {
                      try {
                        Time.sleep(HOUR);
                      } finally {
                        fail(ofChild);
                      }
                    });
              }
            });
    Coroutine.pause();
    Coroutine.pause();
    owner.cancel();

    assertSame(ofChild, assertThrows(IllegalStateException.class, owner::await));
    assertEquals(Status.FAILED, owner.status());
    assertEquals(Cancelled.class, ofChild.getSuppressed()[0].getClass());
  }

  /// There the failure can only be suppressed in the cancellation that is under way, which is silent.
  @Test
  void aFailureIsReportedWhereACancellationWouldHideIt() throws Exception {
    IllegalStateException ofChild = new IllegalStateException("of a child");
    try (CapturedLog logged = new CapturedLog()) {
      Loop.run(
          () -> {
            Coroutine<?> owner =
                Coroutine.spawn(
                    () -> {
                      try (Scope scope = Scope.open()) {
                        scope.spawn(
                            () -> {
                              try {
                                Time.sleep(HOUR);
                              } finally {
                                fail(ofChild);
                              }
                            });
                        Time.sleep(HOUR);
                      }
                    });
            Coroutine.pause();
            Coroutine.pause();
            owner.cancel();
            assertThrows(CancellationException.class, owner::await);
          });

      assertEquals(1, logged.records().size(), logged.messages()::toString);
      assertSame(ofChild, logged.records().getFirst().getThrown());
    }
  }

  @Test
  @Behaviour("TA41")
  void cancellingAMiddleScopeReachesDownAndNeitherUpNorSideways() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          List<Scope> opened = new ArrayList<>();
          try (Scope top = Scope.open()) {
            top.spawn(() -> sleepAndTell("top"));
            top.spawn(() -> nest(opened, 3));
            Time.sleep(Duration.ofMinutes(1));
            assertEquals(3, opened.size());
            assertSame(top, opened.get(0).parent());
            assertEquals(List.of(opened.get(0)), top.children());

            opened.get(1).cancel();
            Time.sleep(Duration.ofMinutes(1));

            assertEquals(List.of("level 1 cancelled", "level 2 cancelled"), sorted(log));
            assertFalse(top.isCancelled());
            assertFalse(opened.get(0).isCancelled());
            assertTrue(opened.get(1).isCancelled());
            assertTrue(opened.get(2).isCancelled());
          }
        });

    assertTrue(log.containsAll(List.of("top", "level 3")), log::toString);
  }

  private void nest(List<Scope> opened, int levels) throws Exception {
    try (Scope scope = Scope.open()) {
      opened.add(scope);
      scope.spawn(
          () -> {
            try {
              Time.sleep(HOUR);
              log.add("level " + levels);
            } catch (Cancelled cancelled) {
              log.add("level " + levels + " cancelled");
              throw cancelled;
            }
          });
      if (levels > 1) {
        scope.spawn(() -> nest(opened, levels - 1));
      }
    }
  }

  private static List<String> sorted(List<Object> list) {
    return list.stream().map(Object::toString).sorted().toList();
  }

  @Test
  @Behaviour("TA41")
  void cancellingOneCoroutineLeavesItsScopeAndSiblingsAlone() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            Coroutine<?> one = scope.spawn(() -> Time.sleep(HOUR));
            scope.spawn(() -> sleepAndTell("sibling"));
            Coroutine.pause();

            one.cancel();

            assertThrows(CancellationException.class, one::await);
            assertFalse(scope.isCancelled());
          }
        });

    assertEquals(List.of("slept", "sibling"), log);
  }

  /// Unlike in the seeds it is cancelled itself, as by anybody else: its next await throws.
  @Test
  @Behaviour("TA42")
  void aCoroutineMayCancelItsOwnScope() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            Coroutine<?> child =
                scope.spawn(
                    () -> {
                      scope.cancel();
                      log.add("goes on");
                      Coroutine.pause();
                      log.add("not reached");
                    });
            assertThrows(CancellationException.class, child::await);
          }
        });

    assertEquals(List.of("goes on"), log);
  }

  // ---- not at all

  /// Nothing is closed by the collector. Whoever is around the scope ends it.
  @Test
  @Behaviour("TA43")
  void aScopeThatWasForgottenEndsWithTheOneAroundIt() throws Exception {
    Loop.run(
        () -> {
          List<Scope> forgotten = new ArrayList<>();
          try (Scope scope = Scope.open()) {
            scope.spawn(
                () -> {
                  Scope inner = Scope.open();
                  forgotten.add(inner);
                  inner.onEnd(() -> log.add("end handler"));
                  inner.spawn(() -> sleepAndTell("cancelled"));
                  Coroutine.pause();
                });
          }
          log.add("left");
          assertTrue(forgotten.getFirst().isClosed());
        });

    assertEquals(List.of("cancelled", "end handler", "left"), log);
  }

  // ---- asking

  @InLoop
  @Test
  @Behaviour("TA38")
  void aFreshScopeIsFinishedAndOpen() throws Exception {
    try (Scope scope = Scope.open()) {
      assertTrue(scope.isFinished());
      assertFalse(scope.isClosed());
      assertFalse(scope.isCancelled());

      scope.close();

      assertTrue(scope.isFinished());
      assertTrue(scope.isClosed());
      assertFalse(scope.isCancelled());
    }
  }

  @InLoop
  @Test
  @Behaviour({"TA39", "TA6"})
  void aCancelledScopeStaysCancelledWhenItIsClosed() throws Exception {
    Scope scope = Scope.open();
    scope.spawn(() -> sleepAndTell("one"));
    scope.spawn(() -> sleepAndTell("two"));
    Coroutine.pause();

    scope.cancel();
    scope.close();

    assertEquals(List.of("one", "two"), log);
    assertTrue(scope.isCancelled());
    assertTrue(scope.isFinished());
    assertTrue(scope.isClosed());
    assertThrows(IllegalStateException.class, () -> scope.spawn(() -> log.add("begun")));
    assertThrows(IllegalStateException.class, () -> scope.cancelAfter(HOUR));
    assertThrows(IllegalStateException.class, () -> scope.onFailure(e -> log.add(e)));
  }

  /// Whoever waits for a cancelled scope waits until its coroutines have cleaned up.
  @Test
  @Behaviour("TA46")
  void joiningACancelledScopeWaitsForItsCleanUps() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            scope.spawn(
                () -> {
                  try {
                    Time.sleep(HOUR);
                  } finally {
                    Coroutine.protect(
                        () -> {
                          Time.sleep(HOUR);
                          log.add("cleaned up");
                        });
                  }
                });
            Coroutine.pause();
            scope.cancel();
            scope.join();
            log.add("joined");
          }
        });

    assertEquals(List.of("cleaned up", "joined"), log);
  }

  private static void fail(RuntimeException failure) {
    throw failure;
  }

  private void sleepAndTell(String name) {
    try {
      Time.sleep(HOUR);
      log.add("slept");
    } finally {
      log.add(name);
    }
  }

  @Test
  void aFailureThatIsAwaitedTooLateIsNotSuppressedInItself() {
    IllegalStateException failure = new IllegalStateException("late");

    Throwable thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                Loop.run(
                    () -> {
                      try (Scope scope = Scope.open()) {
                        Coroutine<?> child =
                            scope.spawn(
                                () -> {
                                  throw failure;
                                });
                        Time.sleep(Duration.ofMillis(1)); // by then it is the scope's
                        assertTrue(scope.isCancelled());
                        child.await();
                      }
                    }));

    assertSame(failure, thrown);
    assertEquals(0, thrown.getSuppressed().length);
  }
}
