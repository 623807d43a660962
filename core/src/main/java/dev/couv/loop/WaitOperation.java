// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// The template of an await that only waits: it starts nothing in libuv and owns no memory there, but stands
/// in a [Line], or is known to somebody, until it is told. Confined to its loop.
///
/// ```
///   start ─▶ enter = true: nothing to wait for
///        └─▶ enter = false ─▶ waiting ─┬─ told: its waiter goes on
///                                      └─ cancel: leave, and telling it does nothing any more
/// ```
///
/// A subclass says where it waits ([#enter]), and where it leaves if that is no line ([#leave]). Who has what
/// it waits for says [#told]. One that takes something by being told overrides [#surrender], too.
public abstract class WaitOperation extends Line.Member implements Operation {
  /// Null before the start, and when there is nothing to wait for any more.
  private @Nullable Waiter waiter;

  /// True if there is nothing to wait for; else it has joined its line, or whatever it waits at knows it. It
  /// may be told from here on.
  protected abstract boolean enter();

  /// Its waiter leaves before it was told.
  protected void leave() {
    leaveLine();
  }

  @Override
  public final boolean start(Waiter newWaiter) {
    waiter = newWaiter;
    boolean waits = false;
    try {
      waits = !enter();
    } finally {
      if (!waits) {
        waiter = null;
      }
    }
    return !waits;
  }

  /// What it waited for is so, or will never be: its waiter goes on. Does nothing if nobody waits, or not any
  /// more. It has left its line.
  public final void told() {
    Waiter woken = waiter;
    waiter = null;
    if (woken != null) {
      woken.completed();
    }
  }

  /// Whether somebody waits and was not told.
  protected final boolean isAwaited() {
    return waiter != null;
  }

  /// Who waits, or is about to.
  protected final Waiter waiter() {
    if (waiter == null) {
      throw new AssertionError("nobody waits for " + this);
    }
    return waiter;
  }

  /// Its waiter has left: it is not told any more.
  protected final void forget() {
    waiter = null;
  }

  @Override
  public void cancel() {
    forget();
    leave();
  }

  @Override
  public void surrender() {}
}
