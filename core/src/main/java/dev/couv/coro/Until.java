// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Coroutines that wait until something is so. Whoever changes it says [#changed]; those it has come
/// true for go on, in the order they came. It may have changed again when they run: they look.
final class Until {
  private final List<Condition> waiting = new ArrayList<>(0);

  void await(BooleanSupplier met, String what) {
    do {
      Suspension.await(new Condition(met, what));
    } while (!met.getAsBoolean());
  }

  void changed() {
    if (waiting.isEmpty()) {
      return;
    }
    for (Condition condition : List.copyOf(waiting)) {
      if (condition.met.getAsBoolean()) {
        waiting.remove(condition);
        condition.reached();
      }
    }
  }

  private final class Condition implements Operation {
    private final BooleanSupplier met;
    private final String what;
    private @Nullable Waiter waiter;

    Condition(BooleanSupplier met, String what) {
      this.met = met;
      this.what = what;
    }

    @Override
    public boolean start(Waiter newWaiter) {
      // First listed, then asked: a change in between is not missed.
      waiter = newWaiter;
      waiting.add(this);
      if (met.getAsBoolean() && waiting.remove(this)) {
        waiter = null;
        return true;
      }
      return false;
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
      return what;
    }
  }
}
