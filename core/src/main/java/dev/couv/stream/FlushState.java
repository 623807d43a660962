// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.CheckReturnValue;

/// Who will see to it that what a [ByteWriter] holds is written.
@CheckReturnValue
enum FlushState {
  /// Nobody: there is nothing, or a coroutine that waits in a flush goes on with it.
  NOBODY,

  /// The end of the turn.
  TURN_END,

  /// A coroutine that was started because the kernel did not take it all.
  DRAIN;

  /// Bytes have come.
  FlushState armed() {
    return this == NOBODY ? TURN_END : this;
  }

  /// The turn has ended, and the kernel took all of it, or somebody is writing it.
  FlushState written() {
    return this == TURN_END ? NOBODY : this;
  }

  /// The turn has ended, and the kernel did not take all of it.
  FlushState stalled() {
    return this == TURN_END ? DRAIN : this;
  }

  /// The coroutine that was started has ended.
  FlushState drained() {
    return NOBODY;
  }
}
