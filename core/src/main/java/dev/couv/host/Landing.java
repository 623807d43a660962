// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import dev.couv.world.FileCall;
import org.jspecify.annotations.Nullable;

/// Waiting until libuv has a request no more, whoever has left meanwhile. The request keeps the loop alive.
final class Landing implements Operation {
  private final FileCall<?> call;
  private @Nullable Waiter waiter;

  Landing(FileCall<?> call) {
    this.call = call;
  }

  @Override
  public boolean start(Waiter newWaiter) {
    if (!call.isInFlight()) {
      return true;
    }
    waiter = newWaiter;
    return false;
  }

  /// It has landed, or there is nothing to wait for.
  void landed() {
    Waiter told = waiter;
    waiter = null;
    if (told != null) {
      told.completed();
    }
  }

  @Override
  public void cancel() {
    waiter = null;
  }

  @Override
  public void surrender() {}

  @Override
  public String toString() {
    return "the end of " + call;
  }
}
