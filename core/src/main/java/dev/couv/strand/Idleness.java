// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Line;
import dev.couv.loop.Operation;
import dev.couv.loop.WaitOperation;

/// The coroutines that wait until their loop has nothing to do. They go on together, in the order they
/// came.
public final class Idleness {
  private final Line<Awaited> waiting = new Line<>();

  boolean isAwaited() {
    return !waiting.isEmpty();
  }

  /// Waiting until there is nothing to do.
  public Operation awaited() {
    return new Awaited();
  }

  /// Nothing is ready and nothing has come.
  void reached() {
    for (Awaited one; (one = waiting.poll()) != null; ) {
      one.told();
    }
  }

  private final class Awaited extends WaitOperation {
    @Override
    protected boolean enter() {
      waiting.add(this);
      return false; // whoever asks runs, so the loop is not idle
    }

    @Override
    public String toString() {
      return "Loop.awaitIdle";
    }
  }
}
