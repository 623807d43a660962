// SPDX-License-Identifier: Apache-2.0
package dev.couv.time;

import dev.couv.coro.Action;
import dev.couv.coro.Body;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Event;
import dev.couv.loop.EventLoop;
import dev.couv.strand.Expired;
import dev.couv.strand.Suspension;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The loop's time, and waiting for it to pass. Nothing here is early: a sleep lasts at least what
/// was asked for.
public final class Time {
  /// Longest duration that fits the clock: about 292 years.
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private Time() {}

  /// Suspends the calling coroutine for at least that long. Zero is [Coroutine#pause].
  ///
  /// @throws IllegalArgumentException if it is negative or longer than 292 years
  public static void sleep(Duration duration) {
    long nanos = nanos(duration, "sleep");
    EventLoop loop = Suspension.loop("Time.sleep");
    if (nanos == 0) {
      Coroutine.pause();
      return;
    }
    Suspension.await(new SleepOperation(loop, loop.deadline(duration)));
  }

  /// The loop's time as an instant: it stands still while coroutines run, and never goes back.
  public static Instant now() {
    EventLoop loop = Suspension.loop("Time.now");
    return loop.instant(loop.now());
  }

  /// Refreshes the loop's time from the clock, and returns it.
  public static Instant update() {
    EventLoop loop = Suspension.loop("Time.update");
    loop.updateTime();
    return loop.instant(loop.now());
  }

  /// A monotonic clock in nanoseconds, with an arbitrary origin: the loop's in a coroutine, which a
  /// test may have replaced, else the machine's.
  public static long nanos() {
    return Suspension.isInCoroutine() ? Suspension.loop("Time.nanos").clock() : System.nanoTime();
  }

  /// Runs the body in the calling coroutine. When the time is over, what it awaits is cancelled and
  /// throws, and so does its every further await, until it is left: then this throws. The objects it
  /// used stay usable. A body that ends in time, or in spite of it, is not disturbed.
  ///
  /// @throws TimeoutException if the time was over before the body ended
  /// @throws IllegalArgumentException if the duration is negative or longer than 292 years
  public static <T extends @Nullable Object> T timeout(Duration duration, Body<T> body)
      throws Exception {
    nanos(duration, "timeout");
    try {
      return Suspension.within(duration, "Time.timeout", body);
    } catch (Expired expired) {
      TimeoutException timeout = new TimeoutException("not done within " + duration);
      timeout.initCause(expired.getCause());
      throw timeout;
    }
  }

  /// Runs a body that has no result in the calling coroutine, as [#timeout(Duration, Body)] does: when the time is
  /// over, its awaits throw until it is left, and then this throws.
  ///
  /// @throws TimeoutException if the time was over before the body ended
  /// @throws IllegalArgumentException if the duration is negative or longer than 292 years
  public static void timeout(Duration duration, Action body) throws Exception {
    timeout(duration, Body.of(body));
  }

  /// An event that happens once, that long from now. Close it if it is not needed any more.
  ///
  /// @throws IllegalArgumentException if the duration is negative or longer than 292 years
  public static Event<Instant> after(Duration duration) {
    nanos(duration, "after");
    EventLoop loop = Suspension.loop("Time.after");
    return new TimerEvent(loop, loop.deadline(duration));
  }

  static long nanos(Duration duration, String call) {
    if (Objects.requireNonNull(duration, "duration").isNegative()) {
      throw new IllegalArgumentException(call + ": negative duration " + duration);
    }
    if (duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(call + ": duration out of range: " + duration);
    }
    return duration.toNanos();
  }
}
