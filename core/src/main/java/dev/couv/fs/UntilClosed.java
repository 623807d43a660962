// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.loop.Operation;
import dev.couv.loop.Slot;
import dev.couv.loop.Waiter;
import org.jspecify.annotations.Nullable;

/// An await of something else than the file, on the file's behalf: closing the file ends it, too.
final class UntilClosed implements Operation, Waiter {
  private final Operation other;

  /// Who waits; null as long as nobody does, and when there is nothing more to wait for.
  private @Nullable Waiter waiter;

  private @Nullable Slot slot;
  private boolean ended;

  UntilClosed(Operation other) {
    this.other = other;
  }

  @Override
  public boolean start(Waiter newWaiter) {
    slot = newWaiter.slot();
    waiter = newWaiter;
    boolean complete = other.start(this);
    if (complete) {
      waiter = null;
    }
    return complete;
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
    Waiter told = waiter;
    waiter = null;
    if (told != null) {
      told.completed();
    }
  }

  /// The file is closed: the waiter leaves the other thing, as if it were cancelled, and is told.
  void end() {
    if (waiter != null) {
      ended = true;
      other.cancel();
      completed();
    }
  }

  boolean isEnded() {
    return ended;
  }

  @Override
  public void cancel() {
    waiter = null;
    other.cancel();
  }

  @Override
  public boolean tryCancel() {
    boolean left = other.tryCancel();
    if (left) {
      waiter = null;
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
