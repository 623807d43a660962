// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// Waiting for a moment of the loop's clock. It is its own entry in the queue, because there may be a million of them;
/// that it is in the queue is that somebody waits.
public abstract class Pause extends TimerEntry implements Operation {
  protected final EventLoop loop;
  protected final long until;
  private @Nullable Waiter waiter;

  protected Pause(EventLoop loop, long until) {
    this.loop = loop;
    this.until = until;
  }

  @Override
  public final boolean start(Waiter newWaiter) {
    waiter = newWaiter;
    loop.timers().add(this, until);
    return false;
  }

  @Override
  protected final void due() {
    if (waiter != null) {
      waiter.completed();
    }
  }

  @Override
  public final void cancel() {
    loop.timers().remove(this);
  }

  @Override
  public final void surrender() {}

  /// What is waited for.
  @Override
  public abstract String toString();
}
