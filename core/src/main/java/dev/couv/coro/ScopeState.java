// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.Transition;

/// Where a scope is in its life.
///
/// ```
///            leave          lastGone           close
///   OPEN ───────────▶ LEFT ───────────▶ ENDING ───────▶ CLOSED
///    │ close            │ close                            ▲
///    └──────────────────┴──────────────────────────────────┘
/// ```
@CheckReturnValue
enum ScopeState {
  OPEN,
  /// Closed, but some of its coroutines go on as zombies.
  LEFT,
  /// The last of those is gone; what was to be done at the end is done.
  ENDING,
  CLOSED;

  ScopeState leave() {
    return Transition.require(this, this == OPEN, "leave", LEFT);
  }

  ScopeState lastGone() {
    return Transition.require(this, this == LEFT, "last gone", ENDING);
  }

  /// From anywhere: the loop closes its own scope whatever became of it, and twice does no harm.
  ScopeState close() {
    return CLOSED;
  }
}
