// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.Behaviour;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Failures that nobody awaits, and those that somebody does.
class FailureTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final CapturedLog logged = new CapturedLog();
  private final List<Object> log = new ArrayList<>();
  private final IOException failure = new IOException("its own");

  @AfterEach
  void close() {
    logged.close();
  }

  @Test
  void anUnclaimedFailureEndsTheRunWithThatVeryException() {
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                Loop.run(
                    () -> {
                      Coroutine.spawn(this::fail);
                      Time.sleep(HOUR);
                    }));

    assertSame(failure, thrown);
  }

  @Test
  void itIsReportedOnceWithTheNameAndThePlace() {
    assertThrows(
        IOException.class,
        () ->
            Loop.run(
                () -> {
                  Coroutine.spawn(this::fail).named("doomed");
                  Time.sleep(HOUR);
                }));

    assertEquals(1, logged.records().size(), logged.messages()::toString);
    LogRecord report = logged.records().getFirst();
    assertEquals(Level.SEVERE, report.getLevel());
    assertTrue(report.getMessage().contains("doomed"), report.getMessage());
    assertTrue(report.getMessage().contains("FailureTest.java:"), report.getMessage());
    assertTrue(report.getMessage().contains("its own"), report.getMessage());
  }

  @Test
  void theSiblingsAreCancelledAndUnwindBeforeTheRunEnds() {
    assertThrows(
        IOException.class,
        () ->
            Loop.run(
                () -> {
                  Coroutine.spawn(() -> sleepAndTell("sibling"));
                  Coroutine.spawn(this::fail);
                  sleepAndTell("main");
                }));

    assertEquals(List.of("main", "sibling"), log.stream().sorted().toList());
  }

  @Test
  void theFailureOfMainIsThrownAndNotReported() {
    assertSame(failure, assertThrows(IOException.class, () -> Loop.run(this::fail)));

    assertEquals(List.of(), logged.messages());
  }

  @Test
  void mainsFailureCancelsTheOthers() {
    assertThrows(
        IOException.class,
        () ->
            Loop.run(
                () -> {
                  Coroutine.spawn(() -> sleepAndTell("child"));
                  Coroutine.pause();
                  fail();
                }));

    assertEquals(List.of("child"), log);
  }

  @Test
  void laterFailuresAreSuppressedInTheFirst() {
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                Loop.run(
                    () -> {
                      Coroutine.spawn(
                          () -> {
                            try {
                              Time.sleep(HOUR);
                            } finally {
                              throwWhileUnwinding();
                            }
                          });
                      Coroutine.spawn(this::fail);
                      Time.sleep(HOUR);
                    }));

    assertSame(failure, thrown);
    assertEquals("while unwinding", thrown.getSuppressed()[0].getMessage());
  }

  private static void throwWhileUnwinding() {
    throw new IllegalStateException("while unwinding");
  }

  @Test
  void aFailureOfAnErrorEndsTheRunToo() {
    assertThrows(
        AssertionError.class,
        () ->
            Loop.run(
                () -> {
                  Coroutine.spawn(
                      () -> {
                        throw new AssertionError("an error");
                      });
                  Time.sleep(HOUR);
                }));
  }

  // ---- claimed

  @Test
  void aFailureThatIsAwaitedIsTheAwaiters() throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> failing = Coroutine.spawn(this::fail);

          assertSame(failure, assertThrows(IOException.class, failing::await));
          Coroutine.pause();
        });

    assertEquals(List.of(), logged.messages());
  }

  /// It fails first; whoever was ready at that moment has one turn to claim it.
  @Test
  void aFailureThatIsAwaitedATurnLaterIsTheAwaiters() throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> failing = Coroutine.spawn(this::fail);
          Coroutine<?> awaiting =
              Coroutine.spawn(() -> assertThrows(IOException.class, failing::await));

          awaiting.await();
        });

    assertEquals(List.of(), logged.messages());
  }

  @Test
  void theSpawnerThatPausesOnceMayStillClaimIt() throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> failing = Coroutine.spawn(this::fail);
          Coroutine.pause();

          assertThrows(IOException.class, failing::await);
        });

    assertEquals(List.of(), logged.messages());
  }

  @Test
  void anAwaiterThatLeavesBeforeTheEndClaimsNothing() {
    assertThrows(
        IOException.class,
        () ->
            Loop.run(
                JumpingTime.options(),
                () -> {
                  Coroutine<?> failing =
                      Coroutine.spawn(
                          () -> {
                            Time.sleep(Duration.ofSeconds(1));
                            fail();
                          });
                  Coroutine<?> awaiting = Coroutine.spawn(() -> failing.await());
                  Coroutine.pause();
                  awaiting.cancel();
                  Time.sleep(HOUR);
                }));
  }

  /// It was told, but resumed before it could look: then nobody has seen the failure.
  @Test
  void anAwaiterThatIsResumedInsteadClaimsNothing() {
    assertThrows(
        IOException.class,
        () ->
            Loop.run(
                () -> {
                  Coroutine<?> failing =
                      Coroutine.spawn(
                          () -> {
                            Coroutine.pause();
                            fail();
                          });
                  Coroutine<?> awaiting =
                      Coroutine.spawn(() -> assertThrows(Resumed.class, failing::await));
                  failing.onEnd((_, _) -> Coroutine.spawn(() -> awaiting.resume()));
                  Time.sleep(HOUR);
                }));
  }

  @Test
  void theResumerOfAFailingCoroutineClaimsIt() throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> failing = Coroutine.create(this::fail);

          assertThrows(IOException.class, failing::resume);
          Coroutine.pause();
        });

    assertEquals(List.of(), logged.messages());
  }

  @Test
  @Behaviour("TA29")
  void aCancelledCoroutineIsNoFailure() throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> sleeper = Coroutine.spawn(() -> Time.sleep(HOUR));
          Coroutine.pause();
          sleeper.cancel();
          Coroutine.pause();
          Coroutine.pause();
        });

    assertEquals(List.of(), logged.messages());
  }

  // ---- embedded

  @Test
  void anEmbeddedLoopReportsWithTheTraceAndGoesOn() {
    try (Loop loop = Loop.open()) {
      loop.spawn(this::fail).named("doomed");
      loop.spawn(() -> log.add("went on"));

      assertFalse(loop.run(Mode.LOOP));

      assertEquals(List.of("went on"), log);
      assertEquals(1, logged.records().size(), logged.messages()::toString);
      LogRecord report = logged.records().getFirst();
      assertSame(failure, report.getThrown());
      assertTrue(report.getMessage().contains("doomed"), report.getMessage());
      assertTrue(report.getMessage().contains("FailureTest.java:"), report.getMessage());
    }
  }

  /// Whoever is ready has not had its turn when the step ends.
  @Test
  void betweenTwoStepsAFailureCanStillBeClaimed() throws Exception {
    try (Loop loop = Loop.open()) {
      Coroutine<?> failing =
          loop.spawn(
              () -> {
                Coroutine<?> self = Coroutine.current();
                Coroutine.spawn(() -> log.add(assertThrows(IOException.class, self::await)));
                fail();
              });

      loop.run(Mode.READY);
      assertEquals(Status.FAILED, failing.status());
      assertEquals(List.of(), log);
      loop.run(Mode.LOOP);

      assertEquals(List.of(failure), log);
      assertEquals(List.of(), logged.messages());
    }
  }

  /// A handler takes locks that coroutines take too, and writes where it may have to wait: neither may
  /// stop the loop. Here one holds the handler's lock until another has run.
  @Test
  void aReportNeverWaitsOnTheLoopsThread() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    CountDownLatch reporting = new CountDownLatch(1);
    Thread loopThread = Thread.currentThread();
    Handler locking =
        new Handler() {
          @Override
          public void publish(LogRecord unused) {
            reporting.countDown();
            lock.lock();
            try {
              log.add(Thread.currentThread() == loopThread ? "by the loop" : "by another");
            } finally {
              lock.unlock();
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("dev.couv");
    logger.addHandler(locking);
    try (Loop loop = Loop.open()) {
      loop.spawn(
          () -> {
            lock.lock();
            try {
              Coroutine.spawn(this::fail);
              Loop.offload(() -> reporting.await(60, TimeUnit.SECONDS));
              Time.sleep(Duration.ofMillis(1));
              log.add("the loop goes on");
            } finally {
              lock.unlock();
            }
          });
      loop.run(Mode.LOOP);
    } finally {
      logger.removeHandler(locking);
    }

    assertEquals(List.of("the loop goes on", "by another"), log);
  }

  /// The loop is closed before the report had its turn.
  @Test
  void aReportIsNotLostWhenTheLoopCloses() {
    Loop loop = Loop.open();
    loop.spawn(this::fail);
    loop.run(Mode.READY);

    loop.close();

    assertEquals(1, logged.records().size(), logged.messages()::toString);
  }

  private void fail() throws IOException {
    throw failure;
  }

  private void sleepAndTell(String name) {
    try {
      Time.sleep(HOUR);
    } finally {
      log.add(name);
    }
  }
}
