// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Line;
import dev.couv.loop.Operation;
import dev.couv.loop.WaitOperation;
import dev.couv.strand.Strand;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The coroutines of a scope, in the order they were made, and who waits until none of them can go on
/// by itself.
final class Members {
  private final Object scope;

  private @Nullable Strand first;
  private @Nullable Strand last;

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
    strand.link(last, null);
    if (last == null) {
      first = strand;
    } else {
      last.link(last.previous(), strand);
    }
    last = strand;
  }

  void remove(Strand strand) {
    Strand before = strand.previous();
    Strand behind = strand.next();
    if (before == null) {
      first = behind;
    } else {
      before.link(before.previous(), behind);
    }
    if (behind == null) {
      last = before;
    } else {
      behind.link(before, behind.next());
    }
    strand.link(null, null);
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
    return first == null;
  }

  /// Whether there is anybody but that one.
  boolean hasOthers(@Nullable Strand than) {
    return first != null && (first != last || first != than);
  }

  /// Whether none can go on by itself, and every failure has found somebody.
  boolean isOver() {
    return active == 0 && unsettled == 0;
  }

  /// In a list of its own.
  List<Strand> list() {
    List<Strand> list = new ArrayList<>();
    for (Strand strand = first; strand != null; strand = strand.next()) {
      list.add(strand);
    }
    return list;
  }

  /// Waiting until it is over.
  Operation over() {
    return new Over();
  }

  private void wakeIfOver() {
    if (isOver()) {
      for (Over next; (next = waiting.poll()) != null; ) {
        next.told();
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
