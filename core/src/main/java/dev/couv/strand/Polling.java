// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.EventLoop;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// How a loop looks at what has come, and waits when nothing is ready: on the machine's clock, or on a
/// virtual one that jumps instead of waiting.
///
/// Virtual time must not pass while something real is on its way: a request in flight, work on another
/// thread, a coroutine that blocks in plain Java code. Waiting for a socket to become readable does not
/// hold it, except for the moment that loopback may take.
public final class Polling {
  private static final int TIMER_BATCH = 1024;
  private static final int POST_BATCH = 1024;

  private final EventLoop events;
  private final Clock time;
  private final boolean timeVirtual;

  /// No wait lasts beyond this moment of the machine's clock, if there is one.
  private @Nullable Long limit;

  Polling(EventLoop events, Clock time) {
    this.events = events;
    this.time = time;
    this.timeVirtual = time.isVirtual();
  }

  /// Serves what has come, without waiting. In a world in memory nothing comes by libuv.
  void look() {
    if (timeVirtual && events.isBare()) {
      events.updateTime();
    } else {
      events.poll(false, !timeVirtual);
    }
    serve();
  }

  /// Nothing is ready: waits for something, or lets a virtual clock go on. `done` tells whether there
  /// is something to do by now, `blocked` whether coroutines block in plain Java code. False if only
  /// time could help, and it does not pass by itself.
  boolean idle(BooleanSupplier done, boolean blocked) {
    if (!timeVirtual) {
      block();
      return true;
    }
    look();
    if (done.getAsBoolean()) {
      return true;
    }
    if (events.liveness().isWorking() || blocked || events.timers().isEmpty()) {
      block();
      return true;
    }
    return awaitQuiet(done) || jump();
  }

  /// From now on no wait lasts beyond that moment of the machine's clock.
  public void limit(long nanos) {
    limit = nanos;
  }

  /// Waits last as long as they like again.
  public void unlimited() {
    limit = null;
  }

  /// Whether the limit is reached.
  public boolean isOverLimit() {
    return limit != null && System.nanoTime() - limit >= 0;
  }

  /// Waits for something, until that moment of the machine's clock at the latest.
  public void blockUntil(long nanos) {
    events.pollUntil(nanos, false);
    serve();
  }

  private void block() {
    if (limit == null) {
      events.poll(true, !timeVirtual);
    } else {
      events.pollUntil(limit, !timeVirtual);
    }
    serve();
  }

  /// What was sent to a socket of this machine may take a moment to get there. True if something came.
  private boolean awaitQuiet(BooleanSupplier done) {
    if (!events.liveness().isWaitedFor()) {
      return false;
    }
    long quiet = System.nanoTime() + time.quietNanos().getAsLong();
    while (System.nanoTime() - quiet < 0) {
      blockUntil(quiet);
      if (done.getAsBoolean() || events.timers().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private boolean jump() {
    if (time.jump().test(events.timers().nextDeadline())) {
      look();
      return true;
    }
    if (events.liveness().isWaitedFor()) {
      block();
      return true;
    }
    return false;
  }

  private void serve() {
    events.fireTimers(TIMER_BATCH);
    events.runPosted(POST_BATCH);
  }
}
