// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.UvHandle;
import dev.couv.uv.UvLoop;
import dev.couv.uv.UvMachine;
import dev.couv.uv.UvTimer;

/// The loop's one libuv timer: it ends a poll in time for the next deadline, and decides nothing.
///
/// libuv's clock is the monotonic clock in whole milliseconds, rounded down and refreshed only
/// between polls. Arming at the deadline rounded up on that clock makes the alarm at most a
/// millisecond late and never early; counting from libuv's own idea of now makes it immune to how
/// stale that idea is. Whether something is due is then asked of the real clock.
final class Alarm extends OwnedHandle {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int CLOCK_LOOKS = 3;

  /// From `System.nanoTime` to libuv's clock.
  private long offsetNanos;

  private boolean armed;
  private long armedMillis;

  Alarm(NativeLoop loop) {
    super(loop, UvHandle.UV_TIMER);
  }

  void open() {
    offsetNanos = clockOffset();
    Failures.checkOpening("uv_timer_init", initialise(UvTimer::uv_timer_init));
  }

  /// The next poll ends at that moment of `System.nanoTime`, or soon after.
  void set(long deadline) {
    long millis = Math.ceilDiv(deadline + offsetNanos, NANOS_PER_MILLI);
    // One that rings earlier costs an idle turn, but no call now.
    if (armed && armedMillis <= millis) {
      return;
    }
    long delay = Math.max(0, millis - UvLoop.uv_now(libuv().address));
    Failures.assertOk(
        "uv_timer_start", UvTimer.uv_timer_start(address(), Callbacks.TIMER_CB, delay, 0));
    armed = true;
    armedMillis = millis;
  }

  /// Nothing is due any more: the next poll may last for ever.
  void clear() {
    if (armed) {
      UvTimer.uv_timer_stop(address());
      armed = false;
    }
  }

  /// What passes between the two looks makes it too small, and every alarm early by as much: so the
  /// largest of a few.
  private static long clockOffset() {
    long largest = UvMachine.uv_hrtime() - System.nanoTime();
    for (int i = 0; i < CLOCK_LOOKS; i++) {
      largest = Math.max(largest, UvMachine.uv_hrtime() - System.nanoTime());
    }
    return largest;
  }

  void close() {
    armed = false;
    libuv().liveness.handleClosing();
    closeNative();
  }

  @Override
  protected void onEvent() {
    armed = false;
    // Before 1.45 libuv runs timers first and then goes on to poll, for as long as it likes.
    UvLoop.uv_stop(libuv().address);
  }

  @Override
  public String toString() {
    return "alarm";
  }
}
