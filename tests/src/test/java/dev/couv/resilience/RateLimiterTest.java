// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// So many in so much time, in the order they came.
@InLoop
class RateLimiterTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final List<String> log = new ArrayList<>();

  private Coroutine<?> taker(TestClock clock, RateLimiter limiter, String name, int count) {
    return Coroutine.spawn(
        () -> {
          limiter.acquire(count);
          log.add(name + " at " + clock.elapsed().toMillis());
        });
  }

  @Test
  void aBurstIsThereAtOnceAndThenOneAfterTheOther(TestClock clock) throws Exception {
    RateLimiter limiter = RateLimiter.create(10, SECOND, 3);
    List<Coroutine<?>> all = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      all.add(taker(clock, limiter, "" + i, 1));
    }
    Await.all(all);

    assertEquals(List.of("1 at 0", "2 at 0", "3 at 0", "4 at 100", "5 at 200", "6 at 300"), log);
    assertEquals(0, limiter.available());
    Time.sleep(Duration.ofMillis(250));
    assertEquals(2, limiter.available());
    Time.sleep(Duration.ofHours(1));
    assertEquals(3, limiter.available(), "no more than a burst");
  }

  @Test
  void unlessToldOtherwiseABurstIsWhatAPeriodGives(TestClock clock) {
    assertEquals(10, RateLimiter.create(10, SECOND).available());
  }

  @Test
  void anOddRateDoesNotDrift(TestClock clock) {
    RateLimiter limiter = RateLimiter.create(7, SECOND, 1);
    limiter.acquire();
    for (int i = 0; i < 7_000; i++) {
      limiter.acquire();
    }
    assertEquals(Duration.ofSeconds(1000), clock.elapsed());
  }

  @Test
  void oneWhoWantsManyIsNotOvertakenByThoseWhoWantFew(TestClock clock) throws Exception {
    RateLimiter limiter = RateLimiter.create(10, SECOND, 5);
    limiter.acquire(5);
    Coroutine<?> many = taker(clock, limiter, "many", 5);
    Coroutine<?> few = taker(clock, limiter, "few", 1);
    Time.sleep(Duration.ofMillis(300));

    assertEquals(3, limiter.available());
    assertFalse(limiter.tryAcquire(), "nobody slips in");
    assertTrue(limiter.waiting() == 2);
    Await.all(many, few);
    assertEquals(List.of("many at 500", "few at 600"), log);
    assertEquals(0, limiter.waiting());
  }

  @Test
  void tryAcquireTakesWhatIsThereAndNoMore(TestClock clock) {
    RateLimiter limiter = RateLimiter.create(10, SECOND, 3);
    assertTrue(limiter.tryAcquire(2));
    assertFalse(limiter.tryAcquire(2));
    assertTrue(limiter.tryAcquire());
    assertFalse(limiter.tryAcquire());
    assertTrue(limiter.tryAcquire(0));
    Time.sleep(Duration.ofNanos(99_999_999));
    assertFalse(limiter.tryAcquire(), "a nanosecond too early");
    Time.sleep(Duration.ofNanos(1));
    assertTrue(limiter.tryAcquire());
    assertEquals(Duration.ofMillis(100), clock.elapsed());
  }

  @Test
  void theFirstInTheLineThatIsCancelledTakesNothing(TestClock clock) throws Exception {
    RateLimiter limiter = RateLimiter.create(10, SECOND, 5);
    limiter.acquire(5);
    Coroutine<?> first = taker(clock, limiter, "first", 5);
    Coroutine<?> second = taker(clock, limiter, "second", 2);
    Coroutine<?> third = taker(clock, limiter, "third", 1);
    Time.sleep(Duration.ofMillis(150));
    first.cancel();

    Await.all(second, third);
    assertEquals(List.of("second at 200", "third at 300"), log);
  }

  @Test
  void oneInTheMiddleThatIsCancelledGivesItsPlaceBack(TestClock clock) throws Exception {
    RateLimiter limiter = RateLimiter.create(10, SECOND, 1);
    limiter.acquire();
    Coroutine<?> first = taker(clock, limiter, "first", 1);
    Coroutine<?> second = taker(clock, limiter, "second", 1);
    Coroutine<?> third = taker(clock, limiter, "third", 1);
    Time.sleep(Duration.ofMillis(50));
    second.cancel();

    Await.all(first, third);
    assertEquals(List.of("first at 100", "third at 200"), log);
  }

  @Test
  void aTimeoutAndAResumeGiveThePlaceBackToo(TestClock clock) throws Exception {
    RateLimiter limiter = RateLimiter.create(1, SECOND, 1);
    limiter.acquire();
    assertThrows(
        TimeoutException.class,
        () -> Time.timeout(Duration.ofMillis(900), () -> limiter.acquire()));
    Coroutine<?> resumed =
        Coroutine.spawn(
            () -> {
              try {
                limiter.acquire();
              } catch (Resumed leaving) {
                log.add("resumed");
              }
            });
    Coroutine<?> next = taker(clock, limiter, "next", 1);
    Loop.awaitIdle();
    resumed.resume();

    next.await();
    assertEquals(List.of("resumed", "next at 1000"), log);
  }

  /// Whenever somebody is cancelled, the others have what they would have had if he had never come.
  @Test
  void whoeverLeavesWheneverTheOthersLoseNothing(TestClock clock) throws Exception {
    for (int cancelAt = 0; cancelAt <= 600; cancelAt += 50) {
      for (int who = 0; who < 5; who++) {
        RateLimiter limiter = RateLimiter.create(10, SECOND, 1);
        limiter.acquire();
        long begin = clock.elapsed().toMillis();
        List<Long> times = new ArrayList<>();
        List<Coroutine<?>> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
          all.add(
              Coroutine.spawn(
                  () -> {
                    limiter.acquire();
                    times.add(clock.elapsed().toMillis() - begin);
                  }));
        }
        Time.sleep(Duration.ofMillis(cancelAt));
        boolean cancelled = all.get(who).cancel();
        Await.settle(all);

        List<Long> expected = new ArrayList<>(List.of(100L, 200L, 300L, 400L, 500L));
        String where = who + " at " + cancelAt;
        if (cancelled && times.size() == 4) {
          expected.removeLast();
        }
        assertEquals(expected, times, where);
        assertEquals(0, limiter.waiting(), where);
      }
    }
  }

  @Test
  void inAnyStretchThereAreNoMoreThanTheRateAndABurst(TestClock clock) throws Exception {
    Random random = new Random(5);
    RateLimiter limiter = RateLimiter.create(20, SECOND, 4);
    List<Long> times = new ArrayList<>();
    List<Coroutine<?>> all = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      Duration when = Duration.ofMillis(random.nextInt(15_000));
      all.add(
          Coroutine.spawn(
              () -> {
                Time.sleep(when);
                limiter.acquire();
                times.add(clock.elapsed().toNanos());
              }));
    }
    Await.all(all);

    for (int from = 0; from < times.size(); from++) {
      for (int to = from; to < times.size(); to++) {
        double seconds = (times.get(to) - times.get(from)) / 1e9;
        assertTrue(to - from + 1 <= 20 * seconds + 4 + 1e-6, from + " to " + to);
      }
    }
  }

  /// Whoever comes, wants whatever and leaves whenever: the others are served in the order they came.
  @Test
  void thoseWhoStayAreServedInOrder(TestClock clock) throws Exception {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      RateLimiter limiter = RateLimiter.create(1 + random.nextInt(50), SECOND, 8);
      List<Integer> served = new ArrayList<>();
      List<Coroutine<?>> all = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        int name = i;
        int count = random.nextInt(9);
        all.add(
            Coroutine.spawn(
                () -> {
                  limiter.acquire(count);
                  served.add(name);
                }));
        if (random.nextInt(3) == 0) {
          Time.sleep(Duration.ofMillis(random.nextInt(200)));
        }
        if (random.nextInt(3) == 0) {
          all.get(random.nextInt(all.size())).cancel();
        }
      }
      Await.settle(all);

      assertEquals(served.stream().sorted().toList(), served, "seed " + seed);
      assertEquals(0, limiter.waiting());
      Time.sleep(Duration.ofSeconds(8));
      assertEquals(8, limiter.available());
    }
  }

  @Test
  void aBodyRunsWhenItIsItsTurnAndItsFailureGivesNothingBack(TestClock clock) throws Exception {
    RateLimiter limiter = RateLimiter.create(1, SECOND);
    assertEquals("done", limiter.run(() -> "done"));
    assertThrows(
        IOException.class,
        () ->
            limiter.run(
                () -> {
                  throw new IOException();
                }));
    limiter.run(() -> log.add("last at " + clock.elapsed().toMillis()));
    assertEquals(List.of("last at 2000"), log);
  }

  @Test
  void aSlowBodyHoldsNobodyUp(TestClock clock) throws Exception {
    RateLimiter limiter = RateLimiter.create(1, SECOND);
    Coroutine<?> slow = Coroutine.spawn(() -> limiter.run(() -> Time.sleep(Duration.ofHours(1))));
    Coroutine<?> next = taker(clock, limiter, "next", 1);
    next.await();
    assertEquals(List.of("next at 1000"), log);
    slow.cancel();
  }

  @Test
  void theSlowestRateIsWaitedFor(TestClock clock) {
    Duration century = Duration.ofDays(36_500);
    RateLimiter limiter = RateLimiter.create(1, century, 1);
    limiter.acquire();
    limiter.acquire();
    assertEquals(century, clock.elapsed());
  }

  @Test
  void whatMakesNoSenseIsRefused(TestClock clock) {
    RateLimiter limiter = RateLimiter.create(10, SECOND, 3);
    assertThrows(IllegalArgumentException.class, () -> limiter.acquire(4));
    assertThrows(IllegalArgumentException.class, () -> limiter.acquire(-1));
    assertThrows(IllegalArgumentException.class, () -> limiter.tryAcquire(Integer.MAX_VALUE));
    assertThrows(IllegalArgumentException.class, () -> limiter.tryAcquire(Integer.MIN_VALUE));
    assertThrows(IllegalArgumentException.class, () -> RateLimiter.create(0, SECOND));
    assertThrows(IllegalArgumentException.class, () -> RateLimiter.create(1, Duration.ZERO));
    assertThrows(NullPointerException.class, () -> limiter.run((dev.couv.coro.Body<?>) null));
    assertEquals(3, limiter.available());
    assertEquals("a rate limiter, 10 in PT1S, 3 at once", limiter.toString());
  }
}
