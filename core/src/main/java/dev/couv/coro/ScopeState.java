// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.CheckReturnValue;

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
    return require(this == OPEN, "leave", LEFT);
  }

  ScopeState lastGone() {
    return require(this == LEFT, "last gone", ENDING);
  }

  /// From anywhere: the loop closes its own scope whatever became of it, and twice does no harm.
  ScopeState close() {
    return CLOSED;
  }

  private ScopeState require(boolean legal, String transition, ScopeState next) {
    if (!legal) {
      throw new AssertionError(transition + " while " + this);
    }
    return next;
  }
}
