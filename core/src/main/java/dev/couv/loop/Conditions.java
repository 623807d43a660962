// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.util.function.BooleanSupplier;

/// Those who wait until something is so. Whoever changes it says [#changed]; those it has come true for go on, in
/// the order they came. It may have changed again when they run: they look. Loop thread.
public class Conditions {
  private final Line<Condition> waiting = new Line<>();

  /// Waiting until that is met; `what` says it in words.
  public final Operation until(BooleanSupplier met, String what) {
    return new Condition(met, what);
  }

  /// Something that is waited for may be so now.
  public final void changed() {
    if (waiting.isEmpty()) {
      return;
    }
    for (Condition condition : waiting.list()) {
      if (condition.met.getAsBoolean() && waiting.remove(condition)) {
        condition.told();
      }
    }
  }

  private final class Condition extends WaitOperation {
    private final BooleanSupplier met;
    private final String what;

    Condition(BooleanSupplier met, String what) {
      this.met = met;
      this.what = what;
    }

    @Override
    protected boolean enter() {
      // First listed, then asked: a change in between is not missed, though the question may park.
      waiting.add(this);
      return met.getAsBoolean() && waiting.remove(this);
    }

    @Override
    public String toString() {
      return what;
    }
  }
}
