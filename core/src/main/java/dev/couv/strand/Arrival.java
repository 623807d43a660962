// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.Transition;

/// What has come to one seat of a wait.
///
/// ```
///              deliver                  take
///   NOTHING ─────────────▶ DELIVERED ─────────▶ TAKEN
///     │  │      find           │ find            ▲
///     │  └──────────▶ FOUND ◀──┘                 │
///     │                 └────────────────────────┘ take
///     └─ abandon ─▶ ABANDONED
/// ```
@CheckReturnValue
enum Arrival {
  NOTHING,
  /// Its source has told it.
  DELIVERED,
  /// Its source had it when it was asked: that cannot be given back by everybody.
  FOUND,
  /// What came is the waiting coroutine's.
  TAKEN,
  /// The wait is over, and what the source still delivers goes back to it. The seat is not used again.
  ABANDONED;

  boolean isThere() {
    return switch (this) {
      case NOTHING, ABANDONED -> false;
      case DELIVERED, FOUND, TAKEN -> true;
    };
  }

  Arrival deliver() {
    return Transition.require(this, this == NOTHING, "deliver", DELIVERED);
  }

  Arrival find() {
    return Transition.require(this, this == NOTHING || this == DELIVERED, "find", FOUND);
  }

  Arrival take() {
    return Transition.require(this, this == DELIVERED || this == FOUND, "take", TAKEN);
  }

  /// For the next wait, whatever came of this one.
  Arrival clear() {
    return Transition.require(this, this != ABANDONED, "clear", NOTHING);
  }

  Arrival abandon() {
    return Transition.require(this, this == NOTHING, "abandon", ABANDONED);
  }
}
