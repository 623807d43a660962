// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.EventLoop;
import dev.couv.loop.TimerEntry;
import java.time.Duration;

/// Something of the runtime that is to be done when a time is over.
final class Deadline extends TimerEntry {
  /// Within half the clock's range: deadlines are compared by their difference.
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  private final EventLoop events;
  private final Runnable action;

  Deadline(EventLoop events, Duration duration, Runnable action) {
    this.events = events;
    this.action = action;
    long nanos = duration.compareTo(LONGEST) < 0 ? duration.toNanos() : LONGEST.toNanos();
    events.timers().add(this, events.clock() + nanos);
  }

  /// If it is not too late.
  void remove() {
    events.timers().remove(this);
  }

  @Override
  protected void due() {
    action.run();
  }
}
