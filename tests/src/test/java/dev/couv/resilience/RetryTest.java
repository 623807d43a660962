// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Body;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.error.BusyException;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Trying again: how often, after what, and how long in between.
@InLoop
class RetryTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Retry STEADY = Retry.of().withBackoff(Backoff.fixed(SECOND)).withJitter(0);

  private final List<Attempt> told = new ArrayList<>();
  private int runs;

  /// Fails so often, and then has a result.
  private Body<Integer> failing(int times) {
    return () -> {
      runs++;
      if (runs <= times) {
        throw new IOException("failure " + runs);
      }
      return runs;
    };
  }

  @Test
  void whatSucceedsIsNotTriedAgain(TestClock clock) throws Exception {
    assertEquals(1, Retry.of().run(failing(0)));
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void whatFailedIsTriedAgainAfterThePause(TestClock clock) throws Exception {
    assertEquals(3, STEADY.run(failing(2)));
    assertEquals(Duration.ofSeconds(2), clock.elapsed());
  }

  @Test
  void aBodyWithoutAResultIsTriedAgainToo(TestClock clock) throws Exception {
    STEADY.run(
        () -> {
          failing(1).run();
        });
    assertEquals(2, runs);
  }

  @Test
  void theLastFailureIsThrownWithThoseBeforeSuppressed(TestClock clock) {
    IOException last = assertThrows(IOException.class, () -> STEADY.run(failing(9)));

    assertEquals(3, runs);
    assertEquals("failure 3", last.getMessage());
    assertEquals(
        List.of("failure 1", "failure 2"),
        List.of(last.getSuppressed()).stream().map(Throwable::getMessage).toList());
    assertEquals(Duration.ofSeconds(2), clock.elapsed(), "it does not wait after the last");
  }

  @Test
  void onlySoManyFailuresAreKept(TestClock clock) {
    IOException last =
        assertThrows(
            IOException.class, () -> STEADY.withAttempts(1000).run(failing(Integer.MAX_VALUE)));

    assertEquals(1000, runs);
    assertEquals(8, last.getSuppressed().length);
    assertEquals("failure 999", last.getSuppressed()[7].getMessage());
  }

  @Test
  void aFailureThatIsThrownAgainIsNotSuppressedInItself(TestClock clock) {
    IOException always = new IOException("always the same");
    for (int i = 0; i < 3; i++) {
      IOException last =
          assertThrows(
              IOException.class,
              () ->
                  STEADY.run(
                      () -> {
                        throw always;
                      }));
      assertSame(always, last);
      assertEquals(0, last.getSuppressed().length);
    }
  }

  @Test
  void aFailureThatKeepsNothingIsThrownAsItIs(TestClock clock) {
    class Bare extends IOException {
      private static final long serialVersionUID = 1L;

      @Override
      public Throwable fillInStackTrace() {
        return this;
      }
    }
    assertThrows(
        Bare.class,
        () ->
            STEADY.run(
                () -> {
                  throw new Bare();
                }));
  }

  // ---- which failures

  @Test
  void unlessToldOtherwiseOnlyFailuresOfTheWorldAreTriedAgain(TestClock clock) {
    assertTries(3, new EOFException(), STEADY);
    assertTries(3, new TimeoutException(), STEADY);
    assertTries(1, new IllegalStateException(), STEADY);
    assertTries(1, new BusyException("full"), STEADY);
    assertTries(1, new InterruptedException(), STEADY);
  }

  @Test
  void theFailuresThatAreNamedAreTriedAgainAndNoOthers(TestClock clock) {
    Retry retry = STEADY.on(BusyException.class, EOFException.class);

    assertTries(3, new BusyException("full"), retry);
    assertTries(3, new EOFException(), retry);
    assertTries(1, new IOException(), retry);
    assertTries(2, new IOException("2"), STEADY.on(e -> "2".equals(e.getMessage()) && runs < 2));
  }

  private void assertTries(int times, Exception failure, Retry retry) {
    runs = 0;
    Exception thrown =
        assertThrows(
            Exception.class,
            () ->
                retry.run(
                    () -> {
                      runs++;
                      throw failure;
                    }));
    assertSame(failure, thrown);
    assertEquals(times, runs, failure::toString);
  }

  @Test
  void anErrorIsNeverTriedAgain(TestClock clock) {
    Retry all = STEADY.on(Exception.class);
    AssertionError error = new AssertionError("broken");

    AssertionError thrown =
        assertThrows(
            AssertionError.class,
            () ->
                all.run(
                    () -> {
                      runs++;
                      throw error;
                    }));

    assertSame(error, thrown);
    assertEquals(1, runs);
  }

  @Test
  void whatFailsByCancellationOfAnotherIsForThePolicyToSay(TestClock clock) {
    assertTries(1, new CancellationException(), STEADY);
    assertTries(3, new CancellationException(), STEADY.on(CancellationException.class));
  }

  // ---- leaving

  @Test
  void whoeverIsCancelledInTheBodyIsNotTriedAgain(TestClock clock) {
    Coroutine<?> trying =
        Coroutine.spawn(
            () ->
                STEADY
                    .on(e -> true)
                    .run(
                        () -> {
                          runs++;
                          Time.sleep(Duration.ofHours(1));
                        }));
    Time.sleep(SECOND);
    trying.cancel();

    assertThrows(CancellationException.class, trying::await);
    assertEquals(1, runs);
    assertEquals(SECOND, clock.elapsed());
  }

  @Test
  void whoeverIsCancelledInThePauseIsNotTriedAgain(TestClock clock) {
    Coroutine<?> trying = Coroutine.spawn(() -> STEADY.run(failing(9)));
    Time.sleep(Duration.ofMillis(1500));
    trying.cancel();

    assertThrows(CancellationException.class, trying::await);
    assertEquals(2, runs);
    assertEquals(Duration.ofMillis(1500), clock.elapsed());
  }

  @Test
  void aBodyThatHidesItsCancellationIsNotTriedAgain(TestClock clock) {
    Coroutine<?> trying =
        Coroutine.spawn(
            () ->
                STEADY
                    .withBackoff(Backoff.none())
                    .withAttempts(Integer.MAX_VALUE)
                    .run(
                        () -> {
                          runs++;
                          try {
                            Time.sleep(Duration.ofHours(1));
                          } catch (Cancelled hidden) {
                            throw new IOException(hidden);
                          }
                        }));
    Time.sleep(SECOND);
    trying.cancel();

    assertThrows(CancellationException.class, trying::await);
    assertEquals(1, runs);
  }

  /// There a cancel interrupts what blocks.
  @Tag("loop-scheduled-engine")
  @Test
  void whoeverIsCancelledWhileItBlocksIsNotTriedAgain() {
    Coroutine<?> trying =
        Coroutine.spawn(
            () ->
                STEADY
                    .on(Exception.class)
                    .run(
                        () -> {
                          runs++;
                          Thread.sleep(3_600_000);
                        }));
    Loop.awaitIdle();
    trying.cancel();

    assertThrows(CancellationException.class, trying::await);
    assertEquals(1, runs);
  }

  @Test
  void whoeverIsResumedInThePauseLeaves(TestClock clock) throws Exception {
    List<Object> seen = new ArrayList<>();
    Coroutine<?> trying =
        Coroutine.spawn(
            () -> {
              try {
                STEADY.on(e -> true).run(failing(9));
              } catch (Resumed resumed) {
                seen.addAll(resumed.values());
              }
            });
    Time.sleep(Duration.ofMillis(1500));
    trying.resume("come");

    assertEquals(List.of("come"), seen);
    assertEquals(2, runs);
  }

  @Test
  void aTimeoutAroundItEndsItInTheBodyAndInThePause(TestClock clock) {
    assertThrows(
        TimeoutException.class,
        () -> Time.timeout(Duration.ofMillis(1500), () -> STEADY.run(failing(9))));
    assertEquals(2, runs);
    assertEquals(Duration.ofMillis(1500), clock.elapsed());

    assertThrows(
        TimeoutException.class,
        () ->
            Time.timeout(
                SECOND,
                () ->
                    STEADY.run(
                        () -> {
                          runs++;
                          Time.sleep(Duration.ofHours(1));
                        })));
    assertEquals(3, runs);
  }

  @Test
  void aTimeoutInsideIsAFailureLikeAnother(TestClock clock) {
    assertThrows(
        TimeoutException.class,
        () ->
            STEADY.run(
                () ->
                    Time.timeout(
                        SECOND,
                        () -> {
                          runs++;
                          Time.sleep(Duration.ofHours(1));
                        })));
    assertEquals(3, runs);
    assertEquals(Duration.ofSeconds(5), clock.elapsed());
  }

  // ---- time

  @Test
  void noAttemptBeginsWhenTheTimeIsOver(TestClock clock) {
    Retry retry = STEADY.withAttempts(Integer.MAX_VALUE).withTimeLimit(Duration.ofSeconds(10));

    assertThrows(IOException.class, () -> retry.run(failing(Integer.MAX_VALUE)));

    assertEquals(10, runs, "at 0, 1, …, 9 seconds");
    assertEquals(Duration.ofSeconds(9), clock.elapsed(), "nothing is waited for in vain");
  }

  @Test
  void timeInTheBodyCountsAndDoesNotEndIt(TestClock clock) {
    Retry retry = STEADY.withAttempts(100).withTimeLimit(Duration.ofSeconds(10));

    assertThrows(
        IOException.class,
        () ->
            retry.run(
                () -> {
                  runs++;
                  Time.sleep(Duration.ofSeconds(8));
                  throw new IOException();
                }));

    assertEquals(2, runs);
    assertEquals(Duration.ofSeconds(17), clock.elapsed());
  }

  @Test
  void withNoTimeAtAllThereIsOneAttempt(TestClock clock) {
    Retry retry = STEADY.withBackoff(Backoff.none()).withTimeLimit(Duration.ZERO);

    assertThrows(IOException.class, () -> retry.run(failing(9)));
    assertEquals(1, runs);
  }

  @Test
  void theLongestTimesAreTakenForWhatTheyAre(TestClock clock) throws Exception {
    Duration longest = Duration.ofNanos(Long.MAX_VALUE);
    Retry retry = STEADY.withTimeLimit(longest).withBackoff(Backoff.fixed(longest));
    assertThrows(IOException.class, () -> retry.run(failing(9)), "it would not be in time");
    assertEquals(1, runs);

    Retry patient =
        Retry.of()
            .withBackoff(Backoff.exponential(Duration.ofNanos(1), longest))
            .withAttempts(40)
            .withJitter(1)
            .withRandom(new Random(1));
    assertEquals(41, patient.withAttempts(50).run(failing(40)));

    Duration none = Duration.ofSeconds(Long.MAX_VALUE);
    assertThrows(IllegalArgumentException.class, () -> Retry.of().withTimeLimit(none));
    assertThrows(IllegalArgumentException.class, () -> Backoff.fixed(none));
    assertThrows(IllegalArgumentException.class, () -> Backoff.fixed(Duration.ofNanos(-1)));
    assertThrows(IllegalArgumentException.class, () -> Backoff.exponential(SECOND, Duration.ZERO));
  }

  @Test
  void withoutAPauseTheOthersStillRun() throws Exception { // by the real clock
    List<String> order = new ArrayList<>();
    Coroutine<?> other =
        Coroutine.spawn(
            () -> {
              Coroutine.pause();
              order.add("other");
              Time.sleep(Duration.ofMillis(1));
              order.add("timer");
            });
    Retry retry = Retry.of().withBackoff(Backoff.none()).withAttempts(Integer.MAX_VALUE);

    retry.run(
        () -> {
          runs++;
          if (other.status() != Status.DONE) {
            throw new IOException("not yet");
          }
        });

    assertEquals(List.of("other", "timer"), order);
    assertTrue(runs > 1);
  }

  // ---- backoff and chance

  @Test
  void pausesDoubleUpToTheLongest() {
    Backoff backoff = Backoff.exponential(Duration.ofMillis(100), SECOND);
    List<Long> pauses = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      pauses.add(backoff.pause(i, new IOException()).toMillis());
    }

    assertEquals(List.of(100L, 200L, 400L, 800L, 1000L, 1000L), pauses);
    assertEquals(SECOND, backoff.pause(Integer.MAX_VALUE, new IOException()));
    for (int i = 1; i <= 200; i++) {
      Duration long1 =
          Backoff.exponential(Duration.ofNanos(1), Duration.ofNanos(Long.MAX_VALUE))
              .pause(i, new IOException());
      assertEquals(i < 64 ? 1L << (i - 1) : Long.MAX_VALUE, long1.toNanos());
    }
    assertEquals(Duration.ZERO, Backoff.none().pause(Integer.MAX_VALUE, new IOException()));
    assertThrows(IllegalArgumentException.class, () -> backoff.pause(0, new IOException()));
  }

  @Test
  void chanceTakesNoMoreThanItsShareOfAPause(TestClock clock) {
    for (double share : List.of(0.0, 0.25, 0.5, 1.0)) {
      told.clear();
      runs = 0;
      Retry retry =
          STEADY
              .withAttempts(500)
              .withJitter(share)
              .withRandom(new Random(7))
              .withListener(told::add);
      assertThrows(IOException.class, () -> retry.run(failing(Integer.MAX_VALUE)));

      long shortest = Long.MAX_VALUE;
      long longest = 0;
      for (Attempt attempt : told.subList(0, 499)) {
        shortest = Math.min(shortest, attempt.pause().toNanos());
        longest = Math.max(longest, attempt.pause().toNanos());
      }
      double second = SECOND.toNanos();
      assertTrue(shortest >= second * (1 - share) && longest <= second, share + ": " + shortest);
      assertTrue(shortest <= second * (1 - 0.95 * share), "all of the share: " + shortest);
      assertTrue(longest >= second * (1 - 0.05 * share), "all of the share: " + longest);
    }
  }

  @Test
  void theSameSeedMakesTheSamePauses(TestClock clock) {
    List<List<Attempt>> both = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      runs = 0;
      List<Attempt> all = new ArrayList<>();
      Retry retry = Retry.of().withRandom(new Random(3)).withListener(all::add);
      assertThrows(IOException.class, () -> retry.run(failing(9)));
      both.add(all);
    }
    assertEquals(
        both.get(0).stream().map(Attempt::pause).toList(),
        both.get(1).stream().map(Attempt::pause).toList());
  }

  @Test
  void aSourceOfChanceThatLiesMakesNoPauseThatIsNone(TestClock clock) {
    for (double lie : List.of(-1e300, 1.0, 7.5, Double.NaN, Double.POSITIVE_INFINITY)) {
      runs = 0;
      told.clear();
      RandomGenerator liar =
          new RandomGenerator() {
            @Override
            public long nextLong() {
              return 0;
            }

            @Override
            public double nextDouble() {
              return lie;
            }
          };
      Retry retry = STEADY.withJitter(1).withRandom(liar).withListener(told::add);
      assertThrows(IOException.class, () -> retry.run(failing(9)));
      Duration pause = told.getFirst().pause();
      assertFalse(pause.isNegative() || pause.compareTo(SECOND) > 0, pause::toString);
    }
  }

  @Test
  void aFailureCanSayWhenToComeAgain(TestClock clock) throws Exception {
    class Later extends IOException {
      private static final long serialVersionUID = 1L;
    }
    Retry retry =
        STEADY.withBackoff((n, e) -> e instanceof Later ? Duration.ofMinutes(n) : Duration.ZERO);

    retry.run(
        () -> {
          if (++runs < 3) {
            throw new Later();
          }
        });
    assertEquals(Duration.ofMinutes(3), clock.elapsed());
  }

  // ---- being told

  @Test
  void eachAttemptIsTold(TestClock clock) throws Exception {
    STEADY
        .withListener(told::add)
        .run(
            () -> {
              Time.sleep(Duration.ofMillis(10));
              return failing(1).run();
            });

    assertEquals(2, told.size());
    Attempt first = told.getFirst();
    assertEquals(1, first.number());
    assertEquals(Duration.ofMillis(10), first.took());
    assertEquals("failure 1", first.failure().getMessage());
    assertEquals(SECOND, first.pause());
    assertFalse(first.succeeded() || first.isGivenUp());
    Attempt second = told.getLast();
    assertEquals(2, second.number());
    assertNull(second.failure());
    assertNull(second.pause());
    assertTrue(second.succeeded());
  }

  @Test
  void theLastAttemptIsToldAsGivenUp(TestClock clock) {
    assertThrows(IOException.class, () -> STEADY.withListener(told::add).run(failing(9)));

    assertEquals(List.of(false, false, true), told.stream().map(Attempt::isGivenUp).toList());
  }

  @Test
  void whatAPartOfThePolicyThrowsEndsItAndKeepsTheFailure(TestClock clock) {
    List<Retry> broken =
        List.of(
            STEADY.on(
                e -> {
                  throw new IllegalStateException("predicate");
                }),
            STEADY.withListener(
                a -> {
                  throw new IllegalStateException("listener");
                }),
            STEADY.withBackoff(
                (n, e) -> {
                  throw new IllegalStateException("backoff");
                }),
            STEADY.withBackoff((n, e) -> Duration.ofNanos(-1)),
            STEADY.withBackoff((n, e) -> null));
    for (Retry retry : broken) {
      runs = 0;
      RuntimeException thrown = assertThrows(RuntimeException.class, () -> retry.run(failing(9)));
      assertEquals(1, runs);
      assertInstanceOf(IOException.class, thrown.getSuppressed()[0]);
    }
  }

  // ---- misuse

  @Test
  void aPolicyThatMakesNoSenseIsRefused() {
    Retry retry = Retry.of();
    assertThrows(IllegalArgumentException.class, () -> retry.withAttempts(0));
    assertThrows(IllegalArgumentException.class, () -> retry.withAttempts(-1));
    assertThrows(IllegalArgumentException.class, () -> retry.withJitter(-0.1));
    assertThrows(IllegalArgumentException.class, () -> retry.withJitter(1.1));
    assertThrows(IllegalArgumentException.class, () -> retry.withJitter(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> retry.withTimeLimit(Duration.ofNanos(-1)));
    assertThrows(IllegalArgumentException.class, () -> retry.on());
    assertThrows(NullPointerException.class, () -> retry.run((Body<?>) null));
    assertThrows(NullPointerException.class, () -> retry.withBackoff(null));
    assertThrows(NullPointerException.class, () -> retry.withListener(null));
    assertThrows(NullPointerException.class, () -> retry.withRandom(null));
    assertThrows(NullPointerException.class, () -> retry.withTimeLimit(null));
    assertEquals("a retry of 3 attempts", retry.toString());
  }

  @Test
  void aPolicyDoesNotChange(TestClock clock) {
    Retry three = STEADY;
    three.withAttempts(7);
    three.on(IllegalStateException.class);

    assertThrows(IOException.class, () -> three.run(failing(9)));
    assertEquals(3, runs);
  }

  @Test
  @Tag("loop-scheduled-engine") // on the other one who blocks in plain Java code blocks the loop
  void whoIsCancelledInPlainJavaCodeHasNoAttemptThatEnded() throws Exception {
    List<Attempt> told = new ArrayList<>();
    Retry retry = Retry.of().on(failure -> true).withListener(told::add);
    Coroutine<?> cancelled =
        Coroutine.spawn(() -> retry.run(() -> new SynchronousQueue<>().take()));
    Coroutine.pause();
    cancelled.cancel();
    Await.settle(cancelled);

    assertEquals(List.of(), told);
    assertEquals(Status.CANCELLED, cancelled.status());
  }

  @Test
  void whatIsThrownAgainAndAgainCarriesNotMoreAndMore(TestClock clock) {
    IOException shared = new IOException("the writer has failed");
    Retry retry = Retry.of().withAttempts(3).withBackoff(Backoff.none());
    for (int i = 0; i < 100; i++) {
      int[] attempts = {0};
      assertThrows(
          IOException.class,
          () ->
              retry.run(
                  () -> {
                    throw ++attempts[0] < 3 ? new IOException("once") : shared;
                  }));
    }
    assertTrue(shared.getSuppressed().length <= 16);
  }
}
