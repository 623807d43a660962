// SPDX-License-Identifier: Apache-2.0
package dev.couv.time;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Operation;
import dev.couv.loop.TimerEntry;
import dev.couv.loop.Waiter;
import org.jspecify.annotations.Nullable;

/// Waiting for a moment. It is its own entry in the queue, because there may be a million of them; that it is in
/// the queue is that somebody waits.
final class SleepOperation extends TimerEntry implements Operation {
  private final EventLoop loop;
  private final long until;
  private @Nullable Waiter waiter;

  SleepOperation(EventLoop loop, long until) {
    this.loop = loop;
    this.until = until;
  }

  @Override
  public boolean start(Waiter newWaiter) {
    waiter = newWaiter;
    loop.timers().add(this, until);
    return false;
  }

  @Override
  protected void due() {
    if (waiter != null) {
      waiter.completed();
    }
  }

  @Override
  public void cancel() {
    loop.timers().remove(this);
  }

  @Override
  public void surrender() {}

  @Override
  public String toString() {
    return "Time.sleep until " + LoopTime.instant(until);
  }
}
