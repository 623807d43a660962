// SPDX-License-Identifier: Apache-2.0
package dev.couv.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.error.BusyException;
import dev.couv.error.ClosedException;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

final class TickerTest {
  private static final Duration PERIOD = Duration.ofMillis(10);

  private final TestClock clock = new TestClock();

  private void assertElapsed(long millis) {
    assertEquals(Duration.ofMillis(millis), clock.elapsed());
  }

  @Test
  void firstTickIsOnePeriodFromNow() throws Exception {
    clock.run(
        () -> {
          Time.sleep(Duration.ofMillis(3));
          try (Ticker ticker = Ticker.every(PERIOD)) {
            assertEquals(0, ticker.next());
            assertElapsed(13);
          }
        });
  }

  @Test
  void workBetweenTicksDoesNotShiftThem() throws Exception {
    clock.run(
        () -> {
          try (Ticker ticker = Ticker.every(PERIOD)) {
            for (int i = 1; i <= 1000; i++) {
              assertEquals(0, ticker.next());
              assertElapsed(10L * i);
              Time.sleep(Duration.ofMillis(i % 10)); // always less than a period
            }
          }
        });
  }

  @InLoop
  @Test
  void ticksAreNeverEarlyByTheRealClock() throws Exception {
    long start = System.nanoTime();
    try (Ticker ticker = Ticker.every(Duration.ofNanos(700_000))) {
      long ticks = 0;
      for (int i = 0; i < 30; i++) {
        ticks += 1 + ticker.next();
        long passed = System.nanoTime() - start;
        long due = ticks * 700_000;

        assertTrue(passed >= due, () -> "a tick of " + due + " ns came after " + passed);
        assertTrue(passed < due + 60_000_000_000L, () -> passed + " for " + due);
      }
    }
  }

  @Test
  void missedTicksAreCountedAndTheRhythmKept() throws Exception {
    clock.run(
        () -> {
          try (Ticker ticker = Ticker.every(PERIOD)) {
            Time.sleep(Duration.ofMillis(35));
            assertEquals(2, ticker.next()); // for the tick at 30; those at 10 and 20 are missed
            assertElapsed(35);
            assertEquals(0, ticker.next());
            assertElapsed(40);
            Time.sleep(Duration.ofMillis(10));
            assertEquals(0, ticker.next()); // the tick at 50, just now
            assertElapsed(50);
            Time.sleep(Duration.ofMillis(20));
            assertEquals(1, ticker.next()); // the tick at 70, just now; that at 60 is missed
            assertElapsed(70);
            Time.sleep(Duration.ofDays(1));
            assertEquals(24L * 60 * 60 * 100 - 1, ticker.next());
          }
        });
  }

  @Test
  void wrongPeriodsAreRefused() throws Exception {
    clock.run(
        () -> {
          assertThrows(IllegalArgumentException.class, () -> Ticker.every(Duration.ZERO));
          assertThrows(IllegalArgumentException.class, () -> Ticker.every(Duration.ofNanos(-1)));
          assertThrows(NullPointerException.class, () -> Ticker.every(null));
        });
  }

  @Test
  void longestPeriodIsWaitedFor() throws Exception {
    clock.run(
        () -> {
          try (Ticker ticker = Ticker.every(Duration.ofNanos(Long.MAX_VALUE))) {
            assertThrows(
                TimeoutException.class, () -> Time.timeout(Duration.ofDays(30_000), ticker::next));
          }
        });
  }

  @Test
  void shortestPeriodTicks() throws Exception {
    clock.run(
        () -> {
          try (Ticker ticker = Ticker.every(Duration.ofNanos(1))) {
            for (int i = 1; i <= 5; i++) {
              assertEquals(0, ticker.next());
              assertEquals(Duration.ofNanos(i), clock.elapsed());
            }
          }
        });
  }

  // ---- more than one

  @Test
  void secondWaiterIsRefused() throws Exception {
    clock.run(
        () -> {
          try (Ticker ticker = Ticker.every(PERIOD)) {
            Coroutine<Long> first = Coroutine.spawn(ticker::next);
            Coroutine.pause();

            BusyException thrown = assertThrows(BusyException.class, ticker::next);

            assertTrue(thrown.getMessage().contains("ticker of PT0.01S"), thrown.getMessage());
            assertEquals(0, first.await());
            assertElapsed(10);
          }
        });
  }

  @Test
  void waiterThatWasWokenIsNotRobbedOfItsTick() throws Exception {
    clock.run(
        () -> {
          try (Ticker ticker = Ticker.every(PERIOD)) {
            List<Coroutine<Long>> first = new ArrayList<>();
            Coroutine<?> robber =
                Coroutine.spawn(
                    () -> {
                      Time.sleep(PERIOD);
                      assertEquals(Status.READY, first.getFirst().status());
                      assertThrows(BusyException.class, ticker::next);
                    });
            Coroutine.pause();
            first.add(Coroutine.spawn(ticker::next));
            robber.await();

            assertEquals(0, first.getFirst().await());
            assertEquals(0, ticker.next());
            assertElapsed(20);
          }
        });
  }

  @Test
  void coroutinesTakeTurnsWithOneTicker() throws Exception {
    clock.run(
        () -> {
          try (Ticker ticker = Ticker.every(PERIOD)) {
            for (int i = 1; i <= 10; i++) {
              assertEquals(0, Coroutine.spawn(ticker::next).await());
              assertElapsed(10L * i);
            }
          }
        });
  }

  // ---- leaving

  @Test
  void closeWakesTheWaiter() throws Exception {
    clock.run(
        () -> {
          Ticker ticker = Ticker.every(PERIOD);
          Coroutine<?> waiter = Coroutine.spawn(ticker::next);
          Coroutine.pause();
          ticker.close();
          ticker.close();

          ClosedException thrown = assertThrows(ClosedException.class, waiter::await);
          assertTrue(thrown.getMessage().contains("ticker of PT0.01S"), thrown.getMessage());
          assertThrows(ClosedException.class, ticker::next);
          assertEquals(0, Loop.current().stats().timers());
        });

    assertElapsed(0);
  }

  @Test
  void cancelledWaitLosesNoTick() throws Exception {
    clock.run(
        () -> {
          try (Ticker ticker = Ticker.every(PERIOD)) {
            Coroutine<?> waiter = Coroutine.spawn(ticker::next);
            Coroutine.pause();
            waiter.cancel();
            assertThrows(CancellationException.class, waiter::await);
            assertEquals(0, Loop.current().stats().timers());
            assertThrows(
                TimeoutException.class, () -> Time.timeout(Duration.ofMillis(9), ticker::next));

            assertEquals(0, ticker.next());
            assertElapsed(10);
          }
        });
  }

  @Test
  void tickThatMeetsAResumeIsTheNextOnes() throws Exception {
    clock.run(
        () -> {
          try (Ticker ticker = Ticker.every(PERIOD)) {
            List<Coroutine<?>> waiter = new ArrayList<>();
            Coroutine<?> resumer =
                Coroutine.spawn(
                    () -> {
                      Time.sleep(PERIOD);
                      assertEquals(Status.READY, waiter.getFirst().status());
                      waiter.getFirst().resume("instead");
                    });
            Coroutine.pause();
            waiter.add(
                Coroutine.spawn(
                    () -> {
                      Resumed resumed = assertThrows(Resumed.class, ticker::next);
                      assertEquals(List.of("instead"), resumed.values());
                    }));
            resumer.await();

            assertEquals(0, ticker.next());
            assertElapsed(10);
            assertEquals(0, ticker.next());
            assertElapsed(20);
          }
        });
  }

  @Test
  void tickThatMeetsACloseIsTheWaiters() throws Exception {
    clock.run(
        () -> {
          Ticker ticker = Ticker.every(PERIOD);
          Coroutine<?> closer =
              Coroutine.spawn(
                  () -> {
                    Time.sleep(PERIOD);
                    ticker.close();
                  });
          Coroutine.pause();

          assertEquals(0, ticker.next());
          assertThrows(ClosedException.class, ticker::next);
          closer.await();
        });
  }

  @Test
  void resumedWaiterCanWaitAgain() throws Exception {
    clock.run(
        () -> {
          try (Ticker ticker = Ticker.every(PERIOD)) {
            Coroutine<Long> waiter =
                Coroutine.spawn(
                    () -> {
                      assertThrows(Resumed.class, ticker::next);
                      return ticker.next();
                    });
            Coroutine.pause();
            waiter.resume();

            assertEquals(0, waiter.await());
            assertElapsed(10);
          }
        });
  }

  @Test
  void tickerNobodyWaitsForKeepsNoLoopRunning() throws Exception {
    try (Loop loop = Loop.open(clock.options())) {
      loop.spawn(() -> Ticker.every(PERIOD));

      assertFalse(loop.run(Mode.LOOP));
      assertElapsed(0);
    }
  }

  @Test
  void nextOutsideACoroutineIsRefusedAndTheTickerStaysUsable() throws Exception {
    try (Loop loop = Loop.open(clock.options())) {
      Ticker[] ticker = new Ticker[1];
      loop.spawn(() -> ticker[0] = Ticker.every(PERIOD));
      loop.run(Mode.LOOP);

      IllegalStateException thrown =
          assertThrows(IllegalStateException.class, () -> ticker[0].next());

      assertTrue(thrown.getMessage().contains("next tick of ticker"), thrown.getMessage());
      loop.spawn(() -> assertEquals(0, ticker[0].next()));
      assertFalse(loop.run(Mode.LOOP));
      assertElapsed(10);
    }
  }
}
