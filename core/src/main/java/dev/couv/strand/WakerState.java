// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.Transition;

/// Where a [Waker] is.
///
/// ```
///        begin            ask
///   FREE ─────▶ IN_USE ─────────▶ ASKING
///     ▲  end      │ ▲  answered     │
///     └───────────┘ └───────────────┘
/// ```
@CheckReturnValue
enum WakerState {
  /// No wait.
  FREE,
  /// A wait has begun and has not ended.
  IN_USE,
  /// A source is being asked, which may make the coroutine wait for a lock.
  ASKING;

  WakerState begin() {
    return Transition.require(this, this == FREE, "begin", IN_USE);
  }

  WakerState ask() {
    return Transition.require(this, this == IN_USE, "ask", ASKING);
  }

  WakerState answered() {
    return Transition.require(this, this == ASKING, "answered", IN_USE);
  }

  WakerState end() {
    return Transition.require(this, this == IN_USE, "end", FREE);
  }
}
