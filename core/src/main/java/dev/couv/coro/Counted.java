// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.CheckReturnValue;
import dev.couv.strand.Scheduler;

/// How a loop counts an event.
@CheckReturnValue
enum Counted {
  NOT,
  /// Its callbacks would be told, if it happens before the loop ends.
  HEARD,
  /// The loop waits for it.
  AWAITED;

  /// Has the loop count it like that from now on.
  Counted become(Counted next, Scheduler scheduler) {
    if (next != this) {
      switch (this) {
        case NOT -> {}
        case HEARD -> LoopKeeper.of(scheduler).outsiders.heardLess();
        case AWAITED -> scheduler.events().liveness().waitEnded();
      }
      switch (next) {
        case NOT -> {}
        case HEARD -> LoopKeeper.of(scheduler).outsiders.heardMore();
        case AWAITED -> scheduler.events().liveness().waitStarted();
      }
    }
    return next;
  }
}
