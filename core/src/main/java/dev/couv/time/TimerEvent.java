// SPDX-License-Identifier: Apache-2.0
package dev.couv.time;

import dev.couv.coro.Event;
import dev.couv.loop.EventLoop;
import dev.couv.loop.TimerEntry;
import java.time.Instant;

/// Happens once, at a moment that was fixed when it was made. It is in the loop's queue only while
/// somebody awaits it or has started it, so a forgotten one keeps nothing alive.
final class TimerEvent extends Event<Instant> {
  private final EventLoop loop;
  private final long moment;
  private final TimerEntry entry = TimerEntry.of(this::due);

  TimerEvent(EventLoop loop, long moment) {
    this.loop = loop;
    this.moment = moment;
  }

  private void due() {
    settleOnLoop(loop.instant(moment), null);
  }

  @Override
  protected void onStart() {
    loop.timers().hide(entry, isHidden());
    loop.timers().add(entry, moment);
  }

  @Override
  protected void onHidden(boolean nowHidden) {
    loop.timers().hide(entry, nowHidden);
  }

  @Override
  protected void onStop() {
    loop.timers().remove(entry);
  }

  @Override
  public String toString() {
    return "Time.after until " + loop.instant(moment);
  }
}
