// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // closing a scope waits, and throws what failed
class ScopeDeadlineTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  @Test
  void itsCoroutinesAreCancelledWhenItsTimeIsOver() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Instant start = Time.now();
          try (Scope scope = Scope.open()) {
            scope.cancelAfter(MINUTE);
            scope.spawn(this::sleepAndTell);
            scope.join();
            assertTrue(scope.isCancelled());
          }
          assertEquals(MINUTE, Duration.between(start, Time.now()));
        });

    assertEquals(List.of("cancelled"), log);
  }

  /// Only going down: the one that opened it goes on.
  @Test
  void itsOwnerIsNotCancelled() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            scope.cancelAfter(MINUTE);
            Time.sleep(HOUR);
            assertTrue(scope.isCancelled());
            log.add("slept");
          }
        });

    assertEquals(List.of("slept"), log);
  }

  @Test
  void theLastCallCounts() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Instant start = Time.now();
          try (Scope scope = Scope.open()) {
            scope.cancelAfter(MINUTE);
            scope.cancelAfter(MINUTE.multipliedBy(2));
            scope.spawn(this::sleepAndTell);
          }
          assertEquals(MINUTE.multipliedBy(2), Duration.between(start, Time.now()));
        });
  }

  /// A loop with a deadline left would go on until then.
  @Test
  void itEndsWithTheScope() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Instant start = Time.now();
          try (Scope scope = Scope.open()) {
            scope.cancelAfter(HOUR);
            scope.spawn(() -> Time.sleep(MINUTE));
          }
          assertEquals(0, Loop.current().stats().timers());
          assertEquals(MINUTE, Duration.between(start, Time.now()));
        });
  }

  @Test
  void itReachesScopesInsideAndProtectedStretchesEndFirst() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Instant start = Time.now();
          try (Scope scope = Scope.open()) {
            scope.cancelAfter(MINUTE);
            scope.spawn(
                () -> {
                  try (Scope inner = Scope.open()) {
                    inner.spawn(this::sleepAndTell);
                    inner.spawn(
                        () ->
                            Coroutine.protect(
                                () -> {
                                  Time.sleep(HOUR);
                                  log.add("protected");
                                }));
                  }
                });
          }
          assertEquals(HOUR, Duration.between(start, Time.now()));
        });

    assertEquals(List.of("cancelled", "protected"), log);
  }

  @Test
  void zeroIsAtOnceNegativeIsRefusedAndTheFarFutureNever() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            assertThrows(
                IllegalArgumentException.class, () -> scope.cancelAfter(Duration.ofNanos(-1)));
            scope.cancelAfter(Duration.ofSeconds(Long.MAX_VALUE));
            scope.spawn(() -> Time.sleep(HOUR)).await();
            assertFalse(scope.isCancelled());

            scope.cancelAfter(Duration.ZERO);
            scope.spawn(this::sleepAndTell);
          }
        });

    assertEquals(List.of("cancelled"), log);
  }

  private void sleepAndTell() {
    try {
      Time.sleep(HOUR.multipliedBy(10));
    } finally {
      log.add("cancelled");
    }
  }
}
