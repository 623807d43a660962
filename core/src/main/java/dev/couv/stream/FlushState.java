// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.CheckReturnValue;

/// Who will see to it that what an [Outflow] holds is written, if nobody flushes.
@CheckReturnValue
enum FlushState {
  /// Nobody: there is nothing, or a coroutine is in a flush.
  NOBODY,

  /// The end of the turn.
  TURN_END,

  /// A coroutine that was begun because the kernel did not take it all.
  DRAIN;

  /// Bytes have come, or were left.
  FlushState armed() {
    return this == NOBODY ? TURN_END : this;
  }

  /// The turn has ended, and the kernel took all of it, or somebody is in a flush.
  FlushState written() {
    return this == TURN_END ? NOBODY : this;
  }

  /// The turn has ended, and the kernel did not take all of it.
  FlushState stalled() {
    return this == TURN_END ? DRAIN : this;
  }

  /// Whoever it was has come to an end.
  FlushState given() {
    return NOBODY;
  }
}
