// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import dev.couv.coro.Coroutine;
import dev.couv.sync.Permits;

/// The loop that an object belongs to: that of the coroutine that made it.
///
/// Known by permits that nobody takes, which the core ties to the loop. To hold the `Loop` itself would let its
/// deadlocks go unnoticed, because then others might come to it.
final class Home {
  private final Permits anchor;

  /// That of the caller, in a function named `call`.
  Home(String call) {
    checkCoroutine(call);
    anchor = new Permits(0);
  }

  /// Throws unless the caller is a coroutine.
  static void checkCoroutine(String call) {
    try {
      Coroutine.current();
    } catch (IllegalStateException outside) {
      throw new IllegalStateException(
          call + " can only be called in a coroutine: Loop.run starts the first one", outside);
    }
  }

  /// Throws unless the caller is a coroutine of the loop.
  void enter(Object subject, String call) {
    checkCoroutine(call);
    try {
      anchor.waiting();
    } catch (IllegalStateException foreign) {
      throw new IllegalStateException(
          call + ": " + subject + " belongs to another loop: only its coroutines can use it",
          foreign);
    }
  }

  /// Whether the caller is at home. Any thread.
  boolean isHere() {
    return anchor.isHere();
  }
}
