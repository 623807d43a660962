// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.ClosedException;
import dev.couv.loop.Census;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.testing.Tries;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The end of a loop that somebody asks for.
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class ShutdownTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();
  private final TestClock clock = new TestClock();

  @Test
  @Behaviour("TA55")
  void theCallerGoesOnUntilItsNextAwaitAndEverybodyElseIsCancelled() throws Exception {
    Loop.run(
        clock.options(),
        () -> {
          Coroutine.spawn(
              () -> {
                try {
                  for (; ; ) {
                    Coroutine.pause();
                  }
                } finally {
                  log.add("looper cancelled");
                }
              });
          Coroutine.pause();
          Loop.current().shutdown(SECOND);
          log.add("next statement");
          Coroutine.pause();
          log.add("not reached");
        });

    assertEquals(List.of("next statement", "looper cancelled"), log);
  }

  @Test
  void aMainThatIsCutShortHasNoResult() throws Exception {
    assertNull(
        Loop.<Object>run(
            clock.options(),
            () -> {
              Loop.current().shutdown(SECOND);
              Time.sleep(HOUR);
              return "never";
            }));
  }

  @Test
  void aMainThatEndsAllTheSameHasItsResult() throws Exception {
    assertEquals(
        "result",
        Loop.<String>run(
            clock.options(),
            () -> {
              Loop.current().shutdown(SECOND);
              return "result";
            }));
  }

  @Test
  void whatFailsDuringItIsThrown() {
    IllegalStateException failure = new IllegalStateException("clean-up");
    assertSame(
        failure,
        assertThrows(
            IllegalStateException.class,
            () ->
                Loop.run(
                    clock.options(),
                    () -> {
                      Loop.current().shutdown(SECOND);
                      try {
                        Time.sleep(HOUR);
                      } finally {
                        fail(failure);
                      }
                    })));
  }

  private static void fail(RuntimeException failure) {
    throw failure;
  }

  @Test
  void finalizersScopesAndProtectedStretchesHaveTheGracePeriod() throws Exception {
    Loop.run(
        clock.options(),
        () -> {
          Coroutine.spawn(() -> sleepProtected(Duration.ofMillis(500)))
              .onEnd(
                  (value, failure) -> {
                    Time.sleep(Duration.ofMillis(200));
                    log.add("end handler");
                  });
          try (Scope scope = Scope.open()) {
            scope.onEnd(
                () -> {
                  Time.sleep(Duration.ofMillis(900));
                  log.add("scope ended");
                });
            scope.spawn(() -> Time.sleep(HOUR));
            Coroutine.pause();
            Loop.current().shutdown(SECOND);
          }
        });

    assertEquals(List.of("protected", "end handler", "scope ended"), log);
    assertEquals(Duration.ofMillis(900), clock.elapsed());
  }

  @Test
  void whenTheGraceIsOverNothingIsProtectedAnyMore() throws Exception {
    Loop.run(
        clock.options(),
        () -> {
          Coroutine<?> stubborn =
              Coroutine.spawn(
                  () -> {
                    try {
                      sleepProtected(HOUR);
                    } finally {
                      log.add("unwinding");
                      sleepProtected(HOUR); // nor does it get any more
                    }
                  });
          stubborn.onEnd(
              (value, failure) -> {
                log.add("end handler");
                Time.sleep(HOUR);
                log.add("not reached");
              });
          Coroutine.pause();
          Loop.current().shutdown(SECOND);
        });

    assertEquals(List.of("unwinding", "end handler"), log);
    assertEquals(SECOND, clock.elapsed());
  }

  @Test
  void ofTwoRequestsTheShorterGraceCounts() throws Exception {
    for (List<Duration> graces : List.of(List.of(SECOND, HOUR), List.of(HOUR, SECOND))) {
      TestClock own = new TestClock();
      Loop.run(
          own.options(),
          () -> {
            Coroutine.spawn(() -> sleepProtected(HOUR.multipliedBy(2)));
            Coroutine.pause();
            graces.forEach(Loop.current()::shutdown);
          });
      assertEquals(SECOND, own.elapsed());
    }
  }

  @Test
  void zombiesAreCancelledToo() throws Exception {
    Loop.run(
        clock.options(),
        () -> {
          try (Scope scope = Scope.open(ScopePolicy.ZOMBIES)) {
            scope.spawn(
                () -> {
                  try {
                    Time.sleep(HOUR);
                  } finally {
                    log.add("cancelled");
                  }
                });
            Coroutine.pause();
          }
          Loop.current().shutdown(SECOND);
        });

    assertEquals(List.of("cancelled"), log);
  }

  @Test
  void itMayBeAskedForByAnotherThread() throws Exception {
    CompletableFuture<Loop> loop = new CompletableFuture<>();
    Thread asking = Thread.ofPlatform().start(() -> loop.join().shutdown(SECOND));

    Loop.run(
        () -> {
          loop.complete(Loop.current());
          Time.sleep(HOUR);
        });

    asking.join();
    loop.join().shutdown(SECOND); // it has ended long ago: nothing happens
  }

  @Test
  void anEmbeddedLoopEndsWhatItHasAndTakesNoMore() {
    try (Loop loop = Loop.open(clock.options())) {
      loop.spawn(() -> sleepProtected(Duration.ofMillis(500)));
      loop.run(Mode.READY);
      loop.shutdown(SECOND);

      assertFalse(loop.run(Mode.LOOP));
      assertEquals(List.of("protected"), log);
      assertEquals(Duration.ofMillis(500), clock.elapsed());
      assertEquals(0, loop.stats().timers());

      Coroutine<?> late = loop.spawn(() -> log.add("begun"));
      loop.run(Mode.LOOP);
      assertEquals(Status.CANCELLED, late.status());
    }
  }

  @InLoop
  @Test
  void aGracePeriodIsNotNegative() throws Exception {
    Loop loop = Loop.current();
    assertThrows(IllegalArgumentException.class, () -> loop.shutdown(SECOND.negated()));
    assertThrows(
        IllegalArgumentException.class, () -> LoopOptions.DEFAULT.withShutdownOn(SECOND.negated()));
  }

  /// It cannot be ended, so it is left behind.
  @Test
  @Tag("loop-scheduled-engine")
  void oneThatBlocksAndIgnoresItsInterruptIsGivenUpWhenTheGraceIsOver() throws Exception {
    Tries.oneOf(5, ShutdownTest::giveOneUpInTime);
  }

  private static void giveOneUpInTime() throws Exception {
    Semaphore never = new Semaphore(0);
    CountDownLatch ended = new CountDownLatch(1);
    long start = System.nanoTime();

    Loop.run(
        () -> {
          Coroutine.spawn(
              () -> {
                never.acquireUninterruptibly();
                ended.countDown();
              });
          Coroutine.pause();
          Loop.current().shutdown(Duration.ofMillis(50));
        });

    Duration taken = Duration.ofNanos(System.nanoTime() - start);
    never.release();
    ended.await();
    assertTrue(taken.compareTo(Duration.ofMillis(1500)) < 0, () -> "took " + taken);
  }

  // ---- triggers

  @Test
  void aTriggerShutsTheRunDownAndIsDisarmedAfterIt() throws Exception {
    List<Runnable> armed = new ArrayList<>();
    AtomicInteger disarmed = new AtomicInteger();
    ShutdownTrigger trigger =
        request -> {
          armed.add(request);
          return disarmed::incrementAndGet;
        };

    Loop.run(
        clock.options().withShutdownOn(HOUR, trigger, trigger),
        () -> {
          assertEquals(2, armed.size());
          Coroutine.spawn(() -> sleepProtected(HOUR.multipliedBy(2)));
          Coroutine.pause();
          armed.getFirst().run();
          log.add("asked");
          assertThrows(Cancelled.class, () -> Time.sleep(HOUR));
          armed.getLast().run(); // the second time there is no grace
        });

    assertEquals(List.of("asked"), log);
    assertEquals(Duration.ZERO, clock.elapsed());
    assertEquals(2, disarmed.get());
  }

  @Test
  void aTriggerThatCannotBeArmedLeavesNoneBehind() {
    AtomicInteger disarmed = new AtomicInteger();
    ShutdownTrigger good = request -> disarmed::incrementAndGet;
    ShutdownTrigger bad =
        request -> {
          throw new IllegalArgumentException("refused");
        };

    assertThrows(
        IllegalArgumentException.class,
        () -> Loop.run(LoopOptions.DEFAULT.withShutdownOn(SECOND, good, bad), () -> {}));

    assertEquals(1, disarmed.get());
  }

  /// A trigger is no reason to wait.
  @Test
  void aDeadlockIsStillFound() {
    assertThrows(
        Deadlock.class,
        () ->
            Loop.run(
                LoopOptions.DEFAULT.withShutdownOn(HOUR, request -> () -> {}),
                () -> {
                  Coroutine.halt();
                }));
  }

  /// Without a grace nobody waits for those who still unwind: their scope is closed, and whom they would spawn there is refused, and not
  /// counted.
  @Test
  void whoeverUnwindsInAScopeThatIsClosedSpawnsNobody() {
    try (Loop loop = Loop.open()) {
      loop.submit(
          () -> {
            try (Scope scope = Scope.open()) {
              scope.spawn(() -> unwindSlowly(scope));
            }
            return null;
          });
      loop.run(Mode.READY);
      loop.run(Mode.READY);
      loop.shutdown(Duration.ZERO);
    }

    assertEquals(List.of("refused"), log);
    assertEquals(0, Census.outliving());
  }

  private void unwindSlowly(Scope scope) {
    try {
      Coroutine.halt();
    } finally {
      while (!scope.isClosed()) {
        try {
          Coroutine.pause();
        } catch (Cancelled again) {
          // As every await: the others have turns all the same.
        }
      }
      assertThrows(ClosedException.class, () -> Coroutine.spawn(() -> {}));
      log.add("refused");
    }
  }

  private void sleepProtected(Duration duration) throws Exception {
    Coroutine.protect(
        () -> {
          Time.sleep(duration);
          log.add("protected");
        });
  }
}
