// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Scheduler;
import dev.couv.strand.Strand;
import java.util.ArrayDeque;

/// The failures that nobody awaits.
///
/// A coroutine may fail just before somebody awaits it. So a failure is nobody's only when everyone
/// who was ready at that moment has had a turn and none of them has claimed it; then it goes to its
/// heir, the scope, once.
final class UnclaimedFailures {
  /// Who gets what nobody claims.
  interface Heir {
    /// The failure of that strand is its own.
    void inherits(Strand strand);

    /// It is known whose the failure is.
    void settled();
  }

  private record Unclaimed(Strand strand, Heir heir, long moment) {}

  private final Scheduler scheduler;
  private final ArrayDeque<Unclaimed> unclaimed = new ArrayDeque<>(2);

  UnclaimedFailures(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  void add(Strand strand, Heir heir) {
    unclaimed.add(new Unclaimed(strand, heir, scheduler.moment()));
  }

  /// Hands on what nobody claimed in time. `idle` if nothing at all is ready.
  void settle(boolean idle) {
    for (Unclaimed oldest; (oldest = unclaimed.peek()) != null; ) {
      if (!idle && !scheduler.haveRun(oldest.moment)) {
        return;
      }
      unclaimed.remove();
      Strand strand = oldest.strand;
      if (!strand.ending().isClaimed()) {
        strand.ending().claim();
        oldest.heir.inherits(strand);
      }
      oldest.heir.settled();
    }
  }

  boolean isSettled() {
    return unclaimed.isEmpty();
  }
}
