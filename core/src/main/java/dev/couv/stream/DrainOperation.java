// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import org.jspecify.annotations.Nullable;

/// Waiting until what writers have left behind is with the kernel. Without that, everyone who gives up
/// on a peer that does not read would leave another piece in memory.
final class DrainOperation implements Operation {
  private final StreamHandle stream;
  private @Nullable Waiter waiter;

  DrainOperation(StreamHandle stream) {
    this.stream = stream;
  }

  @Override
  public boolean start(Waiter newWaiter) {
    if (!stream.isDraining()) {
      return true;
    }
    waiter = newWaiter;
    stream.awaitDrained(this);
    return false;
  }

  /// It is, or will never be.
  void over() {
    Waiter told = waiter;
    waiter = null;
    if (told != null) {
      told.completed();
    }
  }

  @Override
  public void cancel() {
    waiter = null;
    stream.awaitDrained(null);
  }

  @Override
  public void surrender() {}

  @Override
  public String toString() {
    return "an earlier write to " + stream;
  }
}
