// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import dev.couv.coro.Action;
import dev.couv.coro.Body;
import dev.couv.coro.LoopBound;
import dev.couv.sync.Hold;
import dev.couv.sync.Permits;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// So many permits in so much time: whoever comes too early waits, strictly in the order they came.
///
/// ```java
/// var limiter = RateLimiter.create(10, Duration.ofSeconds(1));
/// limiter.acquire();
/// ```
///
/// A bucket of tokens: it begins full, is refilled evenly, and holds no more than a burst, so that in any stretch of time there
/// are no more permits than the rate gives in it, and one burst. (By the clock: what a busy machine wakes late, by 10
/// milliseconds at most, is made up for.) Permits are used up, not given back. Whoever leaves while he
/// waits, by a cancel or a timeout, has taken nothing, and those behind him move up.
///
/// Belongs to the loop of the coroutine that made it. It needs no closing, and keeps no loop running by itself.
public final class RateLimiter implements LoopBound {
  /// So late may a waiter be woken without loss to those behind him: the clock of the system's poll counts in milliseconds,
  /// and a quick rate would suffer. If it is more, the loop was busy, and what was missed meanwhile does not come in a flood.
  private static final long CATCH_UP_NANOS = 10_000_000;

  private final Home home = new Home("RateLimiter.create");
  private final Bucket bucket;

  /// Whoever has it is the first in the line, and the only one who waits for time to pass.
  private final Permits turn = new Permits(1);

  private RateLimiter(int permits, Duration period, int burst) {
    bucket = new Bucket(permits, period, burst, Time.nanos());
  }

  /// Gives so many permits in each period, evenly, and as many at once if none were taken for that long.
  ///
  /// @throws IllegalArgumentException if there are no permits, or the period is not positive or longer than 292 years
  public static RateLimiter create(int permits, Duration period) {
    return new RateLimiter(permits, period, permits);
  }

  /// Gives so many permits in each period, evenly, and `burst` at once if none were taken for a while; with a burst of 1 each is
  /// waited for.
  ///
  /// @throws IllegalArgumentException if there are no permits, no burst, the period is not positive or longer than 292
  ///     years, or it takes longer than that to refill a burst
  public static RateLimiter create(int permits, Duration period, int burst) {
    return new RateLimiter(permits, period, burst);
  }

  /// Waits for a permit, and uses it.
  public void acquire() {
    acquire(1);
  }

  /// Waits for so many permits, and uses them together.
  ///
  /// @throws IllegalArgumentException if there are less than none, or more than a burst, which never come together
  public void acquire(int count) {
    checkCount(count);
    home.enter(this, "RateLimiter.acquire");
    long asked = Time.nanos();
    try (Hold _ = turn.hold()) {
      for (long nanos; (nanos = bucket.nanosUntil(count, Time.nanos())) > 0; ) {
        Time.sleep(Duration.ofNanos(nanos)); // once: a sleep is not too short
      }
      long waited = Time.nanos() - asked;
      bucket.take(count, asked + Math.max(0, waited - CATCH_UP_NANOS));
    }
  }

  /// Uses a permit, if there is one and nobody waits.
  public boolean tryAcquire() {
    return tryAcquire(1);
  }

  /// Uses so many permits together, if they are there and nobody waits.
  ///
  /// @throws IllegalArgumentException if there are less than none, or more than a burst, which never come together
  public boolean tryAcquire(int count) {
    checkCount(count);
    home.enter(this, "RateLimiter.tryAcquire");
    long now = Time.nanos();
    if (turn.available() == 0 || bucket.nanosUntil(count, now) > 0) {
      return false; // somebody is first in the line, or was just told that he is
    }
    bucket.take(count, now);
    return true;
  }

  /// Waits for a permit, and runs the body.
  public <T extends @Nullable Object> T run(Body<T> body) throws Exception {
    Objects.requireNonNull(body, "body");
    acquire();
    return body.run();
  }

  /// Waits for a permit, and runs a body that has no result.
  public void run(Action body) throws Exception {
    run(Body.of(body));
  }

  /// How many permits are there now.
  public int available() {
    home.enter(this, "RateLimiter.available");
    return bucket.tokens(Time.nanos());
  }

  /// How many coroutines wait.
  public int waiting() {
    home.enter(this, "RateLimiter.waiting");
    return turn.waiting() + (1 - turn.available());
  }

  @Override
  public boolean isHere() {
    return home.isHere();
  }

  @Override
  public String toString() {
    return "a rate limiter, " + bucket;
  }

  private void checkCount(int count) {
    if (count < 0 || count > bucket.burst()) {
      throw new IllegalArgumentException(
          count + " permits, of which at most " + bucket.burst() + " come together");
    }
  }
}
