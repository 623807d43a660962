// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Line;
import dev.couv.loop.LineWait;
import java.util.function.BooleanSupplier;

/// Coroutines that wait until something is so. Whoever changes it says [#changed]; those it has come
/// true for go on, in the order they came. It may have changed again when they run: they look.
final class Until {
  private final Line<Condition> waiting = new Line<>();

  void await(BooleanSupplier met, String what) {
    do {
      Suspension.await(new Condition(met, what));
    } while (!met.getAsBoolean());
  }

  void changed() {
    if (waiting.isEmpty()) {
      return;
    }
    for (Condition condition : waiting.list()) {
      if (condition.met.getAsBoolean() && waiting.remove(condition)) {
        condition.told();
      }
    }
  }

  private final class Condition extends LineWait {
    private final BooleanSupplier met;
    private final String what;

    Condition(BooleanSupplier met, String what) {
      this.met = met;
      this.what = what;
    }

    @Override
    protected boolean enter() {
      // First listed, then asked: a change in between is not missed.
      waiting.add(this);
      return met.getAsBoolean() && waiting.remove(this);
    }

    @Override
    public String toString() {
      return what;
    }
  }
}
