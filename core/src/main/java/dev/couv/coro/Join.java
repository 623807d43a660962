// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import org.jspecify.annotations.Nullable;

/// Waiting for the end of another coroutine.
final class Join implements Operation {
  private final Strand target;
  private @Nullable Waiter waiter;

  Join(Strand target) {
    this.target = target;
  }

  @Override
  public boolean start(Waiter newWaiter) {
    if (target.isEnded()) {
      target.ending().claim();
      return true;
    }
    waiter = newWaiter;
    target.ending().addJoin(this);
    return false;
  }

  void targetEnded() {
    Waiter told = waiter;
    waiter = null;
    if (told != null) {
      told.completed();
    }
  }

  @Override
  public void cancel() {
    waiter = null;
    target.ending().removeJoin(this);
  }

  /// The outcome stays with the coroutine that ended; a failure that nobody else has seen is
  /// everybody's again.
  @Override
  public void surrender() {
    target.disclaimed();
  }

  @Override
  public String toString() {
    return "the end of " + target.name();
  }
}
