// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Await;
import dev.couv.coro.Body;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Context;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.coro.Scope;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// A second attempt where the first takes too long.
@InLoop
@SuppressWarnings("try") // what it closes may wait, and throw what failed
class HedgeTest {
  private static final Duration DELAY = Duration.ofMillis(100);
  private static final Hedge HEDGE = Hedge.of(DELAY);

  private final List<String> log = new ArrayList<>();
  private int begun;

  /// Attempts that take so many milliseconds, one after the other; a negative one fails.
  private Body<Integer> taking(int... millis) {
    return () -> {
      int number = ++begun;
      int time = millis[number - 1];
      try {
        Time.sleep(Duration.ofMillis(Math.abs(time)));
        if (time < 0) {
          throw new IOException("failure " + number);
        }
        log.add("end " + number);
        return number;
      } finally {
        log.add("left " + number);
      }
    };
  }

  @Test
  void whatIsFastIsDoneOnce(TestClock clock) throws Exception {
    assertEquals(1, HEDGE.run(taking(99)));
    assertEquals(1, begun);
    assertEquals(Duration.ofMillis(99), clock.elapsed());
  }

  @Test
  void theFirstThatEndsWinsAndTheOtherIsCancelled(TestClock clock) throws Exception {
    assertEquals(2, HEDGE.run(taking(1000, 50)));
    assertEquals(Duration.ofMillis(150), clock.elapsed());
    assertEquals(List.of("end 2", "left 2", "left 1"), log);
  }

  @Test
  void theFirstMayStillWin(TestClock clock) throws Exception {
    assertEquals(1, HEDGE.run(taking(120, 50)));
    assertEquals(2, begun);
    assertEquals(Duration.ofMillis(120), clock.elapsed());
  }

  @Test
  void thereMayBeMoreThanTwo(TestClock clock) throws Exception {
    assertEquals(4, HEDGE.withAttempts(4).run(taking(1000, 1000, 1000, 10)));
    assertEquals(Duration.ofMillis(310), clock.elapsed());
    assertEquals(1, HEDGE.withAttempts(1).run(new HedgeTest().taking(1000)));
  }

  @Test
  void losersAreWaitedFor(TestClock clock) throws Exception {
    int winner =
        HEDGE.run(
            () -> {
              int number = ++begun;
              try {
                Time.sleep(Duration.ofMillis(number == 1 ? 1000 : 10));
              } finally {
                Coroutine.protect(
                    () -> {
                      Time.sleep(Duration.ofSeconds(number == 1 ? 5 : 0));
                      log.add("clean " + number);
                    });
              }
              return number;
            });
    assertEquals(2, winner);
    assertEquals(List.of("clean 2", "clean 1"), log);
    assertEquals(Duration.ofMillis(5110), clock.elapsed());
  }

  // ---- failures

  @Test
  void aFailureBeforeThereIsAnotherIsThrownAtOnce(TestClock clock) {
    IOException failure = assertThrows(IOException.class, () -> HEDGE.run(taking(-50, 1)));
    assertEquals("failure 1", failure.getMessage());
    assertEquals(1, begun);
    assertEquals(Duration.ofMillis(50), clock.elapsed());
  }

  @Test
  void aFailureBesideAnotherAttemptWaitsForThat(TestClock clock) throws Exception {
    assertEquals(2, HEDGE.run(taking(-150, 500)));
    assertEquals(Duration.ofMillis(600), clock.elapsed());
  }

  @Test
  void ifAllFailTheFirstFailureIsThrown(TestClock clock) {
    IOException failure = assertThrows(IOException.class, () -> HEDGE.run(taking(-500, -50)));
    assertEquals("failure 2", failure.getMessage());
    assertEquals("failure 1", failure.getSuppressed()[0].getMessage());
    assertEquals(Duration.ofMillis(500), clock.elapsed());
  }

  @Test
  void aFailureDoesNotMoveTheNextAttempt(TestClock clock) throws Exception {
    assertEquals(3, HEDGE.withAttempts(3).run(taking(-150, 1000, 10)));
    assertEquals(Duration.ofMillis(210), clock.elapsed());
  }

  @Test
  void theSameFailureTwiceIsThrownAsItIs(TestClock clock) {
    IOException always = new IOException("always");
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                HEDGE.run(
                    () -> {
                      Time.sleep(Duration.ofSeconds(1));
                      throw always;
                    }));
    assertSame(always, thrown);
    assertEquals(0, thrown.getSuppressed().length);
  }

  @Test
  void anErrorEndsItAtOnce(TestClock clock) {
    AssertionError error = new AssertionError("broken");
    AssertionError thrown =
        assertThrows(
            AssertionError.class,
            () ->
                HEDGE.run(
                    () -> {
                      if (++begun == 2) {
                        throw error;
                      }
                      Time.sleep(Duration.ofHours(1));
                    }));
    assertSame(error, thrown);
    assertEquals(0, thrown.getSuppressed().length);
    assertEquals(DELAY, clock.elapsed());
  }

  @Test
  void anErrorOfALoserIsNotHidden(TestClock clock) {
    List<Integer> unused = new ArrayList<>();
    assertThrows(
        AssertionError.class,
        () ->
            HEDGE.run(
                () -> {
                  int number = ++begun;
                  try {
                    Time.sleep(Duration.ofMillis(number == 1 ? 1000 : 10));
                  } finally {
                    if (number == 1) {
                      throw new AssertionError("in the cleanup");
                    }
                  }
                  return number;
                },
                unused::add));
    assertEquals(List.of(2), unused, "nobody has the winner's result");
  }

  // ---- results that nobody takes

  /// Both results are there before the caller has run.
  @Test
  void aResultBesideTheWinnersIsGivenUp(TestClock clock) throws Exception {
    List<Integer> unused = new ArrayList<>();
    int winner = HEDGE.run(taking(200, 100), unused::add);
    assertEquals(1, winner);
    assertEquals(List.of(2), unused);
  }

  @Test
  void whatIsStillBroughtByALoserIsGivenUp(TestClock clock) throws Exception {
    List<Integer> unused = new ArrayList<>();
    int winner =
        HEDGE.run(
            () -> {
              int number = ++begun;
              try {
                Time.sleep(Duration.ofMillis(number == 1 ? 1000 : 10));
              } catch (Cancelled tooLate) {
                log.add("has it already");
              }
              return number;
            },
            result -> {
              Time.sleep(Duration.ofSeconds(1));
              unused.add(result);
            });
    assertEquals(2, winner);
    assertEquals(List.of("has it already"), log);
    assertEquals(List.of(1), unused);
  }

  @Test
  void ifTheCallerIsCancelledEveryResultIsGivenUp(TestClock clock) throws Exception {
    List<Integer> unused = new ArrayList<>();
    Coroutine<?> caller =
        Coroutine.spawn(
            () ->
                HEDGE.run(
                    () -> {
                      int number = ++begun;
                      try {
                        Time.sleep(Duration.ofMillis(number == 1 ? 1000 : 10));
                      } finally {
                        Coroutine.protect(() -> Time.sleep(Duration.ofSeconds(5)));
                      }
                      return number;
                    },
                    unused::add));
    Time.sleep(Duration.ofMillis(5500)); // the second has won, the first cleans up
    caller.cancel();

    assertThrows(CancellationException.class, caller::await);
    assertEquals(List.of(2), unused);
  }

  @Test
  void whatThrowsWhereItIsGivenUpDisturbsNobody(TestClock clock) throws Exception {
    int winner =
        HEDGE.run(
            taking(200, 100),
            result -> {
              throw new IOException("cannot be closed");
            });
    assertEquals(1, winner);
  }

  @Test
  void anErrorWhereOneIsGivenUpKeepsNoOther(TestClock clock) {
    List<Integer> unused = new ArrayList<>();
    AssertionError error = new AssertionError("cannot be closed");
    AssertionError thrown =
        assertThrows(
            AssertionError.class,
            () ->
                HEDGE
                    .withAttempts(3)
                    .run(
                        taking(300, 200, 100),
                        result -> {
                          unused.add(result);
                          throw error;
                        }));
    assertSame(error, thrown);
    assertEquals(List.of(2, 3, 1), unused, "and the winner's, which nobody has");
  }

  @Test
  void anErrorWhereOneIsGivenUpKeepsTheOneBefore(TestClock clock) {
    AssertionError before = new AssertionError("before");
    AssertionError worse = new AssertionError("cannot be closed");
    AssertionError thrown =
        assertThrows(
            AssertionError.class,
            () ->
                HEDGE.run(
                    () -> {
                      int number = ++begun;
                      try {
                        Time.sleep(Duration.ofMillis(number == 1 ? 1000 : 10));
                      } catch (Cancelled late) {
                        throw before;
                      }
                      return number;
                    },
                    result -> {
                      throw worse;
                    }));
    assertSame(worse, thrown);
    assertSame(before, thrown.getSuppressed()[0]);
  }

  /// Attempts that begin, end and fail at the same moments, and a caller that is cancelled at one of them: what was opened is
  /// returned or given up, and nothing runs any more when the caller goes on.
  @Test
  void whateverIsOpenedIsReturnedOrGivenUp(TestClock clock) throws Exception {
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      Set<Integer> open = new HashSet<>();
      int[] running = {0};
      begun = 0;
      Body<Integer> attempt =
          () -> {
            running[0]++;
            try {
              for (int i = random.nextInt(3); i > 0; i--) {
                Time.sleep(Duration.ofMillis(50 * random.nextInt(4)));
              }
              if (random.nextInt(3) == 0) {
                throw new IOException("no");
              }
              open.add(++begun);
              return begun;
            } finally {
              running[0]--;
            }
          };
      Hedge hedge = HEDGE.withAttempts(1 + random.nextInt(4));
      List<Integer> returned = new ArrayList<>();
      Coroutine<?> caller =
          Coroutine.spawn(
              () -> {
                try {
                  returned.add(
                      hedge.run(
                          attempt,
                          result -> {
                            Coroutine.pause();
                            open.remove(result);
                          }));
                } catch (IOException none) {
                  assertEquals("no", none.getMessage());
                } finally {
                  assertEquals(0, running[0]);
                }
              });
      if (random.nextBoolean()) {
        Time.sleep(Duration.ofMillis(50 * random.nextInt(8)));
        for (int i = random.nextInt(6); i > 0; i--) {
          Coroutine.pause();
        }
        caller.cancel();
      }
      Await.settle(caller);
      assertEquals(new HashSet<>(returned), open, "seed " + seed);
    }
  }

  @Test
  void nothingIsAResultToo(TestClock clock) throws Exception {
    assertNull(HEDGE.<Object>run(() -> null));
  }

  // ---- leaving

  /// At every moment, and always both attempts have ended when the caller goes on.
  @Test
  void cancellingTheCallerCancelsAll(TestClock clock) {
    for (int at = 0; at <= 400; at += 50) {
      begun = 0;
      log.clear();
      Coroutine<?> caller = Coroutine.spawn(() -> HEDGE.run(taking(1000, 1000)));
      Time.sleep(Duration.ofMillis(at));
      caller.cancel();
      assertThrows(CancellationException.class, caller::await);
      assertEquals(begun, log.size(), "at " + at);
    }
  }

  @Test
  void aTimeoutAroundItCancelsAll(TestClock clock) {
    assertThrows(
        TimeoutException.class,
        () -> Time.timeout(Duration.ofMillis(300), () -> HEDGE.run(taking(1000, 1000))));
    assertEquals(List.of("left 1", "left 2"), log);
    assertEquals(Duration.ofMillis(300), clock.elapsed());
  }

  @Test
  void resumingTheCallerCancelsAll(TestClock clock) throws Exception {
    Coroutine<?> caller =
        Coroutine.spawn(
            () -> {
              try {
                HEDGE.run(taking(1000, 1000));
              } catch (Resumed resumed) {
                log.add("resumed " + resumed.values());
              }
            });
    Time.sleep(Duration.ofMillis(300));
    caller.resume(1);
    caller.await();
    assertEquals(List.of("left 1", "left 2", "resumed [1]"), log);
  }

  @Test
  void anAttemptThatCancelsItselfIsTold(TestClock clock) {
    assertThrows(
        CancellationException.class,
        () ->
            HEDGE.run(
                () -> {
                  Coroutine.current().cancel();
                  Time.sleep(DELAY);
                }));
  }

  // ---- delays

  @Test
  void withoutADelayAllBeginAtOnceAndTheOthersRun(TestClock clock) throws Exception {
    Coroutine<?> other = Coroutine.spawn(() -> log.add("other"));
    assertEquals(1, Hedge.of(Duration.ZERO).withAttempts(5).run(taking(1, 1, 1, 1, 1)));
    assertEquals(5, begun);
    assertEquals("other", log.getFirst());
    other.await();
    assertEquals(Duration.ofMillis(1), clock.elapsed());
  }

  @Test
  void theLongestDelayIsNone(TestClock clock) throws Exception {
    assertEquals(1, Hedge.of(Duration.ofNanos(Long.MAX_VALUE)).run(taking(1_000_000_000)));
    assertEquals(1, begun);
  }

  // ---- where attempts live

  @Test
  void anAttemptSeesTheContextOfItsCaller(TestClock clock) throws Exception {
    try (Scope scope = Scope.open()) {
      scope.context().set("user", "ada");
      Coroutine<Object> inside =
          scope.spawn(() -> HEDGE.<Object>run(() -> Context.current().find("user")));
      assertEquals("ada", String.valueOf(inside.await()).replaceAll("Optional\\[(.*)]", "$1"));
    }
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Hedge.of(Duration.ofNanos(-1)));
    assertThrows(
        IllegalArgumentException.class, () -> Hedge.of(Duration.ofSeconds(Long.MAX_VALUE)));
    assertThrows(IllegalArgumentException.class, () -> HEDGE.withAttempts(0));
    assertThrows(NullPointerException.class, () -> Hedge.of(null));
    assertThrows(NullPointerException.class, () -> HEDGE.run((Body<?>) null));
    assertThrows(NullPointerException.class, () -> HEDGE.run(() -> 1, null));
    assertEquals("a hedge of 2 attempts, PT0.1S apart", HEDGE.toString());
  }
}
