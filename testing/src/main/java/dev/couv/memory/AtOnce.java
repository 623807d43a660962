// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.TimerEntry;
import java.util.ArrayDeque;

/// The agenda of a world that has one loop: what takes no time happens inside of the call that causes it, the rest by the
/// loop's own deadlines.
final class AtOnce implements Agenda {
  private final ArrayDeque<Runnable> events = new ArrayDeque<>();
  private boolean happening;

  @Override
  public long now() {
    return 0;
  }

  @Override
  public void later(long nanos, Node where, Runnable event) {
    EventLoop loop = where.loop();
    if (nanos > 0 && loop != null) {
      Due due = new Due(event);
      loop.timers().hide(due, true);
      loop.timers().add(due, loop.clock() + nanos);
    } else if (nanos <= 0) {
      happen(event);
    }
  }

  @Override
  public void soon(Node where, Runnable event) {
    EventLoop loop = where.loop();
    if (loop == null || !loop.post(() -> happen(event))) {
      happen(event);
    }
  }

  /// One after the other: an event that causes another does not see it happen in its midst.
  private void happen(Runnable first) {
    events.add(first);
    if (happening) {
      return;
    }
    happening = true;
    try {
      for (Runnable next; (next = events.poll()) != null; ) {
        next.run();
      }
    } finally {
      happening = false;
    }
  }

  /// Nobody waits for it in particular: the loop may end before.
  private final class Due extends TimerEntry {
    private final Runnable event;

    Due(Runnable event) {
      this.event = event;
    }

    @Override
    protected void due() {
      happen(event);
    }
  }
}
