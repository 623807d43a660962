// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import org.jspecify.annotations.Nullable;

/// One holder's share of an event, from [Event#retain] until it is closed. Who closes it twice takes
/// nothing from the others.
public final class Hold implements AutoCloseable {
  /// Null when it is closed.
  private @Nullable Event<?> event;

  Hold(Event<?> event) {
    this.event = event;
  }

  /// The event is held no more by this holder; the last one disposes it. Does nothing the second time.
  @Override
  public void close() {
    Event<?> held = event;
    if (held != null) {
      held.scheduler().checkInside(held);
      event = null;
      held.released();
    }
  }

  public boolean isClosed() {
    return event == null;
  }

  @Override
  public String toString() {
    return event == null ? "a hold that is closed" : "a hold of " + event;
  }
}
