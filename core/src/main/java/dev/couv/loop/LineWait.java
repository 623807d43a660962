// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// The wait of a coroutine that stands in a line until it is told. Confined to its loop.
public abstract class LineWait extends Line.Member implements Operation {
  private @Nullable Waiter waiter;

  /// True if there is nothing to wait for; else it has joined its line.
  protected abstract boolean enter();

  @Override
  public final boolean start(Waiter newWaiter) {
    waiter = newWaiter;
    return enter();
  }

  /// It has left the line, and what it waited for is so: its coroutine goes on.
  public final void told() {
    Waiter woken = waiter;
    if (woken == null) {
      throw new AssertionError(this + " has not started");
    }
    woken.completed();
  }

  @Override
  public final void cancel() {
    leaveLine();
  }

  @Override
  public void surrender() {}
}
