// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The coroutines that wait until their loop has nothing to do. They go on together, in the order they
/// came.
final class Idleness {
  private final List<Awaited> waiting = new ArrayList<>(0);

  boolean isAwaited() {
    return !waiting.isEmpty();
  }

  Operation awaited() {
    return new Awaited();
  }

  /// Nothing is ready and nothing has come.
  void reached() {
    List<Awaited> told = List.copyOf(waiting);
    waiting.clear();
    told.forEach(Awaited::reached);
  }

  private final class Awaited implements Operation {
    private @Nullable Waiter waiter;

    @Override
    public boolean start(Waiter newWaiter) {
      waiter = newWaiter;
      waiting.add(this);
      return false; // whoever asks runs, so the loop is not idle
    }

    void reached() {
      Waiter told = waiter;
      waiter = null;
      if (told != null) {
        told.completed();
      }
    }

    @Override
    public void cancel() {
      waiter = null;
      waiting.remove(this);
    }

    @Override
    public void surrender() {}

    @Override
    public String toString() {
      return "Loop.awaitIdle";
    }
  }
}
