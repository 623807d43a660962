// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.testing.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A rate limiter whose waiters are woken later than they asked for.
class LateTimersTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final List<String> log = new ArrayList<>();

  /// As on a machine whose timers are late: here the clock is moved from outside, and never to where it should be.
  @Test
  void lateTimersDoNotSlowItDown() throws Exception {
    TestClock clock = TestClock.manual();
    clock.run(
        () -> {
          RateLimiter limiter = RateLimiter.create(1000, SECOND, 1);
          limiter.acquire();
          for (int i = 0; i < 300; i++) {
            Coroutine.spawn(
                () -> {
                  limiter.acquire();
                  log.add("served");
                });
          }
          while (log.size() < 300) {
            Loop.awaitIdle();
            clock.advance(Duration.ofNanos(1_700_000));
          }
          assertTrue(clock.elapsed().toMillis() <= 303, clock::toString);
        });
  }

  @Test
  void aLoopThatStoodStillDoesNotMakeAFlood() throws Exception {
    TestClock clock = TestClock.manual();
    clock.run(
        () -> {
          RateLimiter limiter = RateLimiter.create(100, SECOND, 2);
          List<Coroutine<?>> all = new ArrayList<>();
          for (int i = 0; i < 50; i++) {
            String name = "" + i;
            all.add(
                Coroutine.spawn(
                    () -> {
                      limiter.acquire();
                      log.add(name);
                    }));
          }
          Loop.awaitIdle();
          assertEquals(2, log.size());
          clock.advance(Duration.ofSeconds(10));
          Loop.awaitIdle();
          assertTrue(log.size() <= 6, () -> log.size() + " at once");
          all.forEach(Coroutine::cancel);
        });
  }
}
