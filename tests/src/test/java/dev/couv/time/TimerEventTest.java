// SPDX-License-Identifier: Apache-2.0
package dev.couv.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Event;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Resumed;
import dev.couv.error.ClosedException;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// `Time.after` as an event.
final class TimerEventTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final TestClock clock = new TestClock();

  // ---- awaiting

  @Test
  void awaitEndsOnTheMomentAndTellsIt() throws Exception {
    clock.run(
        () -> {
          Instant start = Time.now();
          try (Event<Instant> event = Time.after(SECOND)) {
            assertFalse(event.isClosed());

            assertEquals(start.plus(SECOND), event.await());
            assertTrue(event.isClosed());
          }
        });

    assertEquals(SECOND, clock.elapsed());
  }

  @InLoop
  @Test
  void awaitIsNeverEarlyByTheRealClock() throws Exception {
    for (long nanos : new long[] {0, 1, 300_000, 1_000_000, 2_500_000}) {
      long start = System.nanoTime();
      Time.after(Duration.ofNanos(nanos)).await();

      assertTrue(System.nanoTime() - start >= nanos);
    }
  }

  @Test
  void everybodyWhoAwaitsIsToldInOrder() throws Exception {
    List<Integer> told = new ArrayList<>();
    clock.run(
        () -> {
          Event<Instant> event = Time.after(SECOND);
          for (int i = 0; i < 5; i++) {
            int number = i;
            Coroutine.spawn(
                () -> {
                  event.await();
                  told.add(number);
                });
          }
        });

    assertEquals(List.of(0, 1, 2, 3, 4), told);
    assertEquals(SECOND, clock.elapsed());
  }

  @Test
  void latecomerIsToldTheMomentAtOnce() throws Exception {
    clock.run(
        () -> {
          Event<Instant> event = Time.after(SECOND);
          Instant moment = event.await();
          Time.sleep(SECOND);

          assertEquals(moment, event.await());
          assertEquals(moment, event.await());
          assertEquals(SECOND.multipliedBy(2), clock.elapsed());
        });
  }

  @Test
  void momentThatPassedWhileNobodyWaitedIsNotMissed() throws Exception {
    clock.run(
        () -> {
          Instant start = Time.now();
          Event<Instant> event = Time.after(SECOND);
          Time.sleep(SECOND.multipliedBy(5));

          assertEquals(start.plus(SECOND), event.await());
          assertEquals(SECOND.multipliedBy(5), clock.elapsed());
        });
  }

  @Test
  void awaiterThatLeavesDisturbsNobodyAndTheLastOneDisarms() throws Exception {
    clock.run(
        () -> {
          Event<Instant> event = Time.after(SECOND);
          Coroutine<?> one = Coroutine.spawn(event::await);
          Coroutine<?> two = Coroutine.spawn(() -> assertThrows(Resumed.class, event::await));
          Coroutine.pause();
          assertEquals(1, Loop.current().stats().timers());
          one.cancel();
          assertThrows(CancellationException.class, one::await);
          assertEquals(1, Loop.current().stats().timers());
          two.resume("x");
          assertEquals(0, Loop.current().stats().timers());
          assertThrows(
              TimeoutException.class, () -> Time.timeout(Duration.ofMillis(1), event::await));

          event.await();
          assertEquals(SECOND, clock.elapsed());
        });
  }

  @Test
  void awaiterResumedWhenTheMomentHasComeFindsItAgain() throws Exception {
    clock.run(
        () -> {
          Event<Instant> event = Time.after(SECOND);
          Coroutine<?>[] awaiter = new Coroutine<?>[1];
          Coroutine<?> resumer =
              Coroutine.spawn(
                  () -> {
                    Time.sleep(SECOND);
                    awaiter[0].resume();
                  });
          Coroutine.pause();
          awaiter[0] =
              Coroutine.spawn(
                  () -> {
                    assertThrows(Resumed.class, event::await);
                    event.await();
                  });
          resumer.await();
          awaiter[0].await();

          assertEquals(SECOND, clock.elapsed());
        });
  }

  // ---- closing

  @Test
  void closeWakesEverybodyWhoAwaits() throws Exception {
    clock.run(
        () -> {
          Event<Instant> event = Time.after(SECOND);
          List<Coroutine<?>> awaiters = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            awaiters.add(Coroutine.spawn(event::await));
          }
          Coroutine.pause();
          event.close();
          event.close();

          for (Coroutine<?> awaiter : awaiters) {
            ClosedException thrown = assertThrows(ClosedException.class, awaiter::await);
            assertTrue(thrown.getMessage().contains("Time.after"), thrown.getMessage());
          }
          assertThrows(ClosedException.class, event::await);
          assertThrows(ClosedException.class, () -> event.subscribe((_, _) -> {}));
          assertEquals(0, Loop.current().stats().timers());
        });

    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void closeAfterTheMomentKeepsIt() throws Exception {
    clock.run(
        () -> {
          Event<Instant> event = Time.after(SECOND);
          Instant moment = event.await();
          event.close();

          assertEquals(moment, event.await());
        });
  }

  @Test
  void everyHolderClosesForItself() throws Exception {
    clock.run(
        () -> {
          Event<Instant> event = Time.after(SECOND);
          try (Event.Hold hold = event.retain()) {
            event.close();
            event.close();

            event.await();
            assertEquals(SECOND, clock.elapsed());
            assertFalse(hold.isClosed());
          }
        });
  }

  @Test
  void eventNobodyWaitsForKeepsNoLoopRunning() throws Exception {
    try (Loop loop = Loop.open(clock.options())) {
      loop.spawn(() -> Time.after(SECOND));

      assertFalse(loop.run(Mode.LOOP));
    }
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  // ---- starting and callbacks

  @Test
  void startedEventTellsItsCallbacksOnceAndLatecomersAtOnce() throws Exception {
    List<String> told = new ArrayList<>();
    clock.run(
        () -> {
          Event<Instant> event = Time.after(SECOND);
          Instant moment = Time.now().plus(SECOND);
          event.subscribe((value, error) -> told.add("first " + value.equals(moment) + error));
          event.subscribe((_, _) -> told.add("second"));
          event.start();
          Time.sleep(SECOND.multipliedBy(2));
          event.subscribe((value, _) -> told.add("late " + value.equals(moment)));
        });

    assertEquals(List.of("first truenull", "second", "late true"), told);
  }

  @Test
  void startsAreCounted() throws Exception {
    clock.run(
        () -> {
          Event<Instant> event = Time.after(SECOND);
          event.start();
          event.start();
          event.stop();
          assertEquals(1, Loop.current().stats().timers());
          event.stop();
          event.stop();
          assertEquals(0, Loop.current().stats().timers());
          event.start();
          assertEquals(1, Loop.current().stats().timers());
          event.close();
          assertEquals(0, Loop.current().stats().timers());
          event.start();
          assertEquals(0, Loop.current().stats().timers());
        });
  }

  @Test
  void callbacksMayAwait() throws Exception {
    List<String> told = new ArrayList<>();
    clock.run(
        () -> {
          Event<Instant> event = Time.after(SECOND);
          event.subscribe(
              (_, _) -> {
                Time.sleep(SECOND);
                told.add("slept");
              });
          event.subscribe((_, _) -> told.add("after it"));
          event.await();
        });

    assertEquals(List.of("slept", "after it"), told);
    assertEquals(SECOND.multipliedBy(2), clock.elapsed());
  }

  @Test
  void unsubscribedCallbackIsNotTold() throws Exception {
    List<String> told = new ArrayList<>();
    clock.run(
        () -> {
          Event<Instant> event = Time.after(SECOND);
          Event.Callback<Instant> leaving = (_, _) -> told.add("leaving");
          event.subscribe(leaving);
          event.subscribe((_, _) -> told.add("staying"));

          assertTrue(event.unsubscribe(leaving));
          assertFalse(event.unsubscribe(leaving));
          event.await();
        });

    assertEquals(List.of("staying"), told);
  }

  @Test
  void callbackMayUnsubscribeAnotherDuringTheNotification() throws Exception {
    List<String> told = new ArrayList<>();
    clock.run(
        () -> {
          Event<Instant> event = Time.after(SECOND);
          Event.Callback<Instant> before = (_, _) -> told.add("before");
          Event.Callback<Instant> after = (_, _) -> told.add("after");
          event.subscribe(before);
          event.subscribe(
              (_, _) -> {
                event.unsubscribe(before);
                event.unsubscribe(after);
                told.add("between");
              });
          event.subscribe(after);
          event.subscribe((_, _) -> told.add("last"));
          event.await();
        });

    assertEquals(List.of("before", "between", "last"), told);
  }

  @Test
  void callbackMaySubscribeAnotherDuringTheNotification() throws Exception {
    List<String> told = new ArrayList<>();
    clock.run(
        () -> {
          Event<Instant> event = Time.after(SECOND);
          event.subscribe(
              (_, _) -> {
                told.add("one");
                event.subscribe((_, _) -> told.add("nested")); // it has happened: told at once
              });
          event.subscribe((_, _) -> told.add("two"));
          event.await();
        });

    assertEquals(List.of("one", "nested", "two"), told);
  }

  @Test
  void callbackThatClosesTheEventKeepsNobodyFromItsLastNotification() throws Exception {
    List<String> told = new ArrayList<>();
    clock.run(
        () -> {
          Event<Instant> event = Time.after(SECOND);
          event.subscribe(
              (_, _) -> {
                event.close();
                told.add("closing");
              });
          event.subscribe((_, _) -> told.add("after it"));
          event.await();
          event.close();
        });

    assertEquals(List.of("closing", "after it"), told);
  }

  @Test
  void callbackThatThrowsKeepsNobodyFromBeingToldAndEndsTheRun() {
    List<String> told = new ArrayList<>();
    IllegalStateException first = new IllegalStateException("first");
    IllegalStateException second = new IllegalStateException("second");

    IllegalStateException thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                clock.run(
                    () -> {
                      Event<Instant> event = Time.after(SECOND);
                      event.subscribe(
                          (_, _) -> {
                            throw first;
                          });
                      event.subscribe(
                          (_, _) -> {
                            throw second;
                          });
                      event.subscribe((_, _) -> told.add("told"));
                      event.await();
                    }));

    assertSame(first, thrown);
    assertSame(second, thrown.getSuppressed()[0]);
    assertEquals(List.of("told"), told);
  }

  @InLoop
  @Test
  void eventOfAnotherLoopIsRefused() throws Exception {
    Event<Instant> event = Time.after(SECOND);
    Loop.offload(
        () -> {
          assertThrows(IllegalStateException.class, event::start);
          assertThrows(IllegalStateException.class, event::close);
          assertThrows(IllegalStateException.class, () -> event.subscribe((_, _) -> {}));
          Loop.run(() -> assertThrows(IllegalStateException.class, event::await));
          return null;
        });

    assertFalse(event.isClosed());
  }
}
