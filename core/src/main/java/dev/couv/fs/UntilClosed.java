// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.loop.Operation;
import dev.couv.loop.Slot;
import dev.couv.loop.WaitOperation;
import dev.couv.loop.Waiter;
import org.jspecify.annotations.Nullable;

/// An await of something else than the file, on the file's behalf: closing the file ends it, too.
final class UntilClosed extends WaitOperation implements Waiter {
  private final Operation other;
  private @Nullable Slot slot;
  private boolean ended;

  UntilClosed(Operation other) {
    this.other = other;
  }

  @Override
  protected boolean enter() {
    slot = waiter().slot();
    return other.start(this);
  }

  @Override
  public Slot slot() {
    if (slot == null) {
      throw new AssertionError(this + " was not started");
    }
    return slot;
  }

  @Override
  public void completed() {
    told();
  }

  /// The file is closed: the waiter leaves the other thing, as if it were cancelled, and is told.
  void end() {
    if (isAwaited()) {
      ended = true;
      other.cancel();
      told();
    }
  }

  boolean isEnded() {
    return ended;
  }

  @Override
  protected void leave() {
    other.cancel();
  }

  @Override
  public boolean tryCancel() {
    boolean left = other.tryCancel();
    if (left) {
      forget();
    }
    return left;
  }

  @Override
  public void surrender() {
    if (!ended) {
      other.surrender();
    }
  }

  @Override
  public String toString() {
    return other.toString();
  }
}
