// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.TimerEntry;
import java.time.Duration;

/// Something of the runtime that is to be done when a time is over.
final class Deadline extends TimerEntry {
  /// Within half the clock's range: deadlines are compared by their difference.
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  private final Scheduler scheduler;
  private final Runnable action;

  Deadline(Scheduler scheduler, Duration duration, Runnable action) {
    this.scheduler = scheduler;
    this.action = action;
    long nanos = duration.compareTo(LONGEST) < 0 ? duration.toNanos() : LONGEST.toNanos();
    scheduler.events().timers().add(this, scheduler.events().clock() + nanos);
  }

  /// If it is not too late.
  void remove() {
    scheduler.events().timers().remove(this);
  }

  @Override
  protected void due() {
    action.run();
  }
}
