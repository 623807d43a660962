// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Deadlock;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Status;
import dev.couv.time.Ticker;
import dev.couv.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class TestClockTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /// Far more than any of these tests needs, far less than the time it simulates.
  private static final Duration MOMENT = Duration.ofMinutes(4);

  private final TestClock clock = new TestClock();

  @Test
  void sleepTakesExactlyItsVirtualTime() throws Exception {
    Duration real = realTime(() -> clock.run(() -> Time.sleep(HOUR)));

    assertEquals(HOUR, clock.elapsed());
    assertTrue(real.compareTo(MOMENT) < 0, "took " + real);
  }

  @Test
  void runReturnsTheResult() throws Exception {
    String result =
        clock.run(
            () -> {
              Time.sleep(HOUR);
              return "done";
            });

    assertEquals("done", result);
  }

  @Test
  void timeStandsStillWhileCoroutinesRun() throws Exception {
    clock.run(
        () -> {
          long start = Time.nanos();
          Instant now = Time.now();
          for (int i = 0; i < 1000; i++) {
            Coroutine.pause();
          }

          assertEquals(start, Time.nanos());
          assertEquals(now, Time.update());
        });

    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void nowFollowsTheClock() throws Exception {
    clock.run(
        () -> {
          Instant before = Time.now();
          Time.sleep(HOUR);

          assertEquals(before.plus(HOUR), Time.now());
        });
  }

  @Test
  void sleepersWakeInTheOrderOfTheirDeadlines() throws Exception {
    List<String> woken = new ArrayList<>();
    clock.run(
        () -> {
          for (int seconds : new int[] {30, 10, 20, 10}) {
            Coroutine.spawn(
                () -> {
                  Time.sleep(Duration.ofSeconds(seconds));
                  woken.add(seconds + " at " + clock.elapsed().toSeconds());
                });
          }
        });

    assertEquals(List.of("10 at 10", "10 at 10", "20 at 20", "30 at 30"), woken);
  }

  @Test
  void equalDeadlinesWakeInTheOrderTheSleepsBegan() throws Exception {
    List<Integer> woken = new ArrayList<>();
    clock.run(
        () -> {
          for (int i = 0; i < 100; i++) {
            int number = i;
            Coroutine.spawn(
                () -> {
                  Time.sleep(SECOND);
                  woken.add(number);
                });
          }
        });

    assertEquals(java.util.stream.IntStream.range(0, 100).boxed().toList(), woken);
    assertEquals(SECOND, clock.elapsed());
  }

  @Test
  void timeoutComesWhenItsTimeIsOver() throws Exception {
    clock.run(
        () ->
            assertThrows(TimeoutException.class, () -> Time.timeout(HOUR, () -> Coroutine.halt())));

    assertEquals(HOUR, clock.elapsed());
  }

  @Test
  void innerTimeoutComesBeforeTheOuterOne() throws Exception {
    clock.run(
        () ->
            Time.timeout(
                HOUR,
                () -> {
                  assertThrows(
                      TimeoutException.class, () -> Time.timeout(SECOND, () -> Coroutine.halt()));
                }));

    assertEquals(SECOND, clock.elapsed());
  }

  @Test
  void bodyThatEndsInTimeIsNotCutOff() throws Exception {
    clock.run(() -> Time.timeout(HOUR, () -> Time.sleep(HOUR.minusNanos(1))));

    assertEquals(HOUR.minusNanos(1), clock.elapsed());
  }

  @Test
  void anHourOfTimeoutsEndsInAMomentOfRealTime() throws Exception {
    Duration real =
        realTime(
            () ->
                clock.run(
                    () -> {
                      for (int i = 0; i < 3600; i++) {
                        assertThrows(
                            TimeoutException.class,
                            () -> Time.timeout(SECOND, () -> Coroutine.halt()));
                      }
                    }));

    assertEquals(HOUR, clock.elapsed());
    assertTrue(real.compareTo(MOMENT) < 0, "took " + real);
  }

  @Test
  void tickerMissesNoTick() throws Exception {
    clock.run(
        () -> {
          try (Ticker ticker = Ticker.every(SECOND)) {
            for (int i = 1; i <= 60; i++) {
              assertEquals(0, ticker.next());
              assertEquals(Duration.ofSeconds(i), clock.elapsed());
            }
          }
        });
  }

  @Test
  void afterHappensAtItsMoment() throws Exception {
    clock.run(
        () -> {
          Instant expected = Time.now().plus(HOUR);
          try (var event = Time.after(HOUR)) {
            assertEquals(expected, event.await());
          }
        });

    assertEquals(HOUR, clock.elapsed());
  }

  @Test
  void cancelledSleepDoesNotTakeTimeAlong() throws Exception {
    clock.run(
        () -> {
          Coroutine<?> sleeper = Coroutine.spawn(() -> Time.sleep(HOUR));
          Time.sleep(SECOND);
          sleeper.cancel();
        });

    assertEquals(SECOND, clock.elapsed());
  }

  @Test
  void elapsedTimesOfSeveralRunsAddUp() throws Exception {
    clock.run(() -> Time.sleep(SECOND));
    clock.run(() -> Time.sleep(HOUR));

    assertEquals(HOUR.plus(SECOND), clock.elapsed());
  }

  // ---- what holds it, and what does not

  @Test
  void callOnAnotherThreadHoldsTheTime() throws Exception {
    CompletableFuture<Void> released = new CompletableFuture<>();
    List<String> order = new ArrayList<>();
    Thread.startVirtualThread(() -> busy(released));
    clock.run(
        () -> {
          Coroutine.spawn(
              () -> {
                Time.sleep(HOUR);
                order.add("slept");
              });
          Loop.offload(released::get);
          order.add("called at " + clock.elapsed());
        });

    assertEquals(List.of("called at PT0S", "slept"), order);
  }

  @Test
  @Tag("loop-scheduled-engine")
  void blockingInPlainJavaCodeHoldsTheTime() throws Exception {
    CompletableFuture<Void> released = new CompletableFuture<>();
    List<String> order = new ArrayList<>();
    Thread.ofPlatform().start(() -> busy(released));
    clock.run(
        () -> {
          Coroutine.spawn(
              () -> {
                Time.sleep(HOUR);
                order.add("slept");
              });
          assertNull(released.get());
          order.add("released at " + clock.elapsed());
        });

    assertEquals(List.of("released at PT0S", "slept"), order);
  }

  @Test
  @Tag("loop-scheduled-engine")
  void limitedWaitInPlainJavaCodeTakesRealTimeAndHoldsTheClock() throws Exception {
    Duration nap = Duration.ofMillis(5);
    BlockingQueue<String> queue = new ArrayBlockingQueue<>(1);
    List<String> order = new ArrayList<>();
    Duration real =
        realTime(
            () ->
                clock.run(
                    () -> {
                      Coroutine.spawn(
                          () -> {
                            Time.sleep(HOUR);
                            order.add("Time.sleep at " + clock.elapsed());
                          });
                      // Twice, with nothing of Couv in between.
                      Thread.sleep(nap);
                      Thread.sleep(nap);
                      assertNull(queue.poll(nap.toNanos(), TimeUnit.NANOSECONDS));
                      order.add("plain Java at " + clock.elapsed());
                    }));

    assertEquals(List.of("plain Java at PT0S", "Time.sleep at PT1H"), order);
    assertTrue(real.compareTo(nap.multipliedBy(3)) >= 0, "took " + real);
  }

  // ---- by hand

  @Test
  void manualClockMovesOnlyWhenItIsAdvanced() {
    TestClock manual = TestClock.manual();
    try (Loop loop = Loop.open(manual.options())) {
      Coroutine<Void> sleeper = loop.spawn(() -> Time.sleep(HOUR));

      assertTrue(loop.run(Mode.LOOP));
      manual.advance(HOUR.minusNanos(1));
      assertTrue(loop.run(Mode.LOOP));
      assertEquals(Status.SUSPENDED, sleeper.status());

      manual.advance(Duration.ofNanos(1));
      assertFalse(loop.run(Mode.LOOP));
      assertEquals(Status.DONE, sleeper.status());
      assertEquals(HOUR, manual.elapsed());
    }
  }

  @Test
  void advanceInACoroutineWakesWhoIsDueInTheOrderOfTheDeadlines() throws Exception {
    TestClock manual = TestClock.manual();
    List<Integer> woken = new ArrayList<>();
    manual.run(
        () -> {
          List<Coroutine<?>> sleepers = new ArrayList<>();
          for (int minutes : new int[] {50, 20, 40}) {
            sleepers.add(
                Coroutine.spawn(
                    () -> {
                      Time.sleep(Duration.ofMinutes(minutes));
                      woken.add(minutes);
                    }));
          }
          Coroutine.pause(); // they sleep

          manual.advance(HOUR);
          for (Coroutine<?> sleeper : sleepers) {
            sleeper.await();
          }
        });

    assertEquals(List.of(20, 40, 50), woken);
    assertEquals(HOUR, manual.elapsed());
  }

  @Test
  void waitingForAManualClockThatNobodyAdvancesIsADeadlock() {
    TestClock manual = TestClock.manual();

    Deadlock deadlock = assertThrows(Deadlock.class, () -> manual.run(() -> Time.sleep(HOUR)));

    assertTrue(deadlock.getMessage().contains("awaiting Time.sleep"), deadlock.getMessage());
  }

  @Test
  void jumpingClockCanBeAdvancedToo() throws Exception {
    clock.run(
        () -> {
          Coroutine<Duration> sleeper =
              Coroutine.spawn(
                  () -> {
                    Time.sleep(Duration.ofMinutes(90));
                    return clock.elapsed();
                  });
          Coroutine.pause(); // it sleeps
          clock.advance(HOUR);
          assertEquals(HOUR, clock.elapsed());

          assertEquals(Duration.ofMinutes(90), sleeper.await());
        });
  }

  @Test
  void timeDoesNotGoBack() {
    assertThrows(IllegalArgumentException.class, () -> clock.advance(Duration.ofNanos(-1)));
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  // ---- embedded

  @Test
  void stepJumpsToTheNextDeadlineOnly() {
    try (Loop loop = Loop.open(clock.options())) {
      loop.spawn(() -> Time.sleep(HOUR));
      loop.spawn(() -> Time.sleep(HOUR.multipliedBy(2)));
      loop.run(Mode.READY);

      assertTrue(loop.run(Mode.STEP));
      assertEquals(HOUR, clock.elapsed());

      assertFalse(loop.run(Mode.STEP));
      assertEquals(HOUR.multipliedBy(2), clock.elapsed());
    }
  }

  @Test
  void readyModeNeverMovesTheTime() {
    try (Loop loop = Loop.open(clock.options())) {
      loop.spawn(() -> Time.sleep(HOUR));

      assertTrue(loop.run(Mode.READY));
      assertTrue(loop.run(Mode.READY));

      assertEquals(Duration.ZERO, clock.elapsed());
    }
  }

  @InLoop
  @Test
  void insideACoroutineTheClockIsRefused() throws Exception {
    Throwable thrown = assertThrows(RuntimeException.class, () -> clock.run(() -> {}));
    assertInstanceOf(IllegalArgumentException.class, thrown);
  }

  /// Something real that takes longer than any jump would.
  private static void busy(CompletableFuture<Void> released) {
    long end = System.nanoTime() + 20_000_000;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    released.complete(null);
  }

  private interface Step {
    void run() throws Exception;
  }

  private static Duration realTime(Step step) throws Exception {
    long start = System.nanoTime();
    step.run();
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
