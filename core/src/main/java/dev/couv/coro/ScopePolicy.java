// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

/// What the failure of a scope's coroutine that nobody awaits does to the others, and what leaving the
/// scope does to those that still run. A handler of [Scope#onFailure] comes first: a failure that it
/// takes does nothing at all.
public enum ScopePolicy {
  /// The first failure cancels the others, and is what the scope throws.
  CANCEL_ON_FAILURE,
  /// A failure leaves the others alone. The scope throws the first one when all have ended.
  SUPERVISE,
  /// Cancelling or leaving the scope does not touch coroutines that have begun, and nobody waits for
  /// them: they go on by themselves, and keep the loop running. Those that have not begun never do.
  ZOMBIES
}
