// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import dev.couv.coro.Action;
import dev.couv.coro.Body;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.coro.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Virtual time for one loop. It stands still while anything runs, and when every coroutine waits it
/// jumps to the next moment that one of them waits for: an hour of timeouts is over in milliseconds,
/// and always in the same order.
///
/// ```java
/// var clock = new TestClock();
/// clock.run(() -> Time.sleep(Duration.ofHours(1)));
/// assertEquals(Duration.ofHours(1), clock.elapsed());
/// ```
///
/// ## What holds it
///
/// Time does not jump over what is really going on: a request in flight (a connect, a write that the
/// peer has not taken yet, a name lookup), a handle being closed, a call on another thread, a
/// coroutine that blocks in plain Java code. So a timeout around a request that never ends never
/// comes; use [#advance] for that.
///
/// Waiting for what may come, or not, does not hold it: a read, an accept, a signal. As nothing tells
/// whether a peer is about to answer, time jumps only after the sockets have been silent for a moment
/// of real time, 10 ms unless [#afterQuiet] says otherwise. A peer that takes longer than that is too
/// late, however far away the deadline is.
///
/// Plain Java code keeps real time: `Thread.sleep` or `queue.poll(1, SECONDS)` in a coroutine last as
/// long as they say, because the JDK measures them by the machine's clock, and virtual time stands
/// still meanwhile. Use `Time.sleep`.
///
/// ## By hand
///
/// A clock of [#manual] moves only by [#advance]. When every coroutine waits for it, and nobody is
/// left to advance it, that is a [dev.couv.coro.Deadlock], or the end of a `loop.run(mode)`.
///
/// Threads: [#elapsed] from any; [#advance] in a coroutine of the loop, or on its thread between runs.
public final class TestClock implements TimeSource {
  private static final Duration QUIET = Duration.ofMillis(10);

  private final boolean jumping;
  private final long quietNanos;
  private final long start;
  private final AtomicLong now;

  /// A clock that jumps by itself.
  public TestClock() {
    this(true, QUIET);
  }

  private TestClock(boolean jumping, Duration quiet) {
    this.jumping = jumping;
    this.quietNanos = quiet.toNanos();
    // The real one, so that Time.now is a plausible date.
    this.start = System.nanoTime();
    this.now = new AtomicLong(start);
  }

  /// A clock that moves only when it is told to.
  public static TestClock manual() {
    return new TestClock(false, Duration.ZERO);
  }

  /// A clock that jumps by itself, where somebody waits for a socket after so much silence.
  public static TestClock afterQuiet(Duration quiet) {
    return new TestClock(true, quiet);
  }

  /// Runs `main` on a new loop with this clock, as `Loop.run` does.
  public <T extends @Nullable Object> T run(Body<T> main) throws Exception {
    return Loop.run(options(), main);
  }

  /// Like [#run(Body)], without a result.
  public void run(Action main) throws Exception {
    Loop.run(options(), main);
  }

  /// The default options with this clock, for `Loop.run` and `Loop.open`.
  public LoopOptions options() {
    return LoopOptions.DEFAULT.withTime(this);
  }

  /// How much of its time has passed since it was made.
  public Duration elapsed() {
    return Duration.ofNanos(now.get() - start);
  }

  /// Lets so much time pass at once. Who was due in between is woken when the loop next looks, in the
  /// order of the deadlines, but all of them see the new time.
  ///
  /// @throws IllegalArgumentException if it is negative
  public void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("advance: time does not go back: " + duration);
    }
    now.addAndGet(duration.toNanos());
  }

  @Override
  public long nanos() {
    return now.get();
  }

  @Override
  public boolean isVirtual() {
    return true;
  }

  @Override
  public long quietNanos() {
    return quietNanos;
  }

  @Override
  public boolean jump(long deadline) {
    if (!jumping) {
      return false;
    }
    now.updateAndGet(moment -> deadline - moment > 0 ? deadline : moment);
    return true;
  }

  @Override
  public String toString() {
    return (jumping ? "a test clock at " : "a manual test clock at ") + elapsed();
  }
}
