// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Line;
import dev.couv.loop.Operation;
import dev.couv.loop.WaitOperation;
import dev.couv.strand.Strand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The coroutines of a scope, in the order they were made, and who waits until none of them can go on
/// by itself.
final class Members {
  private final Object scope;

  private final Line<Strand> strands = new Line<>();

  /// Those that are not passive.
  private int active;

  /// Failures of which it is not known yet whether somebody awaits them.
  private int unsettled;

  private final Line<Over> waiting = new Line<>();

  /// `scope` names the scope.
  Members(Object scope) {
    this.scope = scope;
  }

  void add(Strand strand) {
    strands.add(strand);
  }

  void remove(Strand strand) {
    strands.remove(strand);
  }

  void activated() {
    active++;
  }

  void deactivated() {
    active--;
    wakeIfOver();
  }

  void unsettled() {
    unsettled++;
  }

  void settled() {
    unsettled--;
    wakeIfOver();
  }

  int active() {
    return active;
  }

  boolean isEmpty() {
    return strands.isEmpty();
  }

  /// Whether there is anybody but that one.
  boolean hasOthers(@Nullable Strand than) {
    return strands.size() > 1 || (!strands.isEmpty() && strands.first() != than);
  }

  /// Whether none can go on by itself, and every failure has found somebody.
  boolean isOver() {
    return active == 0 && unsettled == 0;
  }

  /// In a list of its own.
  List<Strand> list() {
    return strands.list();
  }

  /// Waiting until it is over.
  Operation over() {
    return new Over();
  }

  private void wakeIfOver() {
    if (isOver()) {
      for (Over over; (over = waiting.poll()) != null; ) {
        over.told();
      }
    }
  }

  private final class Over extends WaitOperation {
    @Override
    protected boolean enter() {
      if (isOver()) {
        return true;
      }
      waiting.add(this);
      return false;
    }

    @Override
    public String toString() {
      return "the end of " + scope;
    }
  }
}
