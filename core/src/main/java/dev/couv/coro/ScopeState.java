// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

/// Where a scope is in its life.
enum ScopeState {
  OPEN,
  /// Closed, but some of its coroutines go on as zombies.
  LEFT,
  /// The last of those is gone; what was to be done at the end is done.
  ENDING,
  CLOSED
}
