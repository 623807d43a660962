// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Outcome;
import dev.couv.coro.Suspension;
import dev.couv.error.ClosedException;
import org.jspecify.annotations.Nullable;

/// What is to be done when a promise is: in a coroutine of a loop, or, without one, by whoever is first to
/// know.
final class Continuation<T extends @Nullable Object> {
  interface Step<T extends @Nullable Object> {
    void run(Outcome<T> outcome) throws Exception;
  }

  private final @Nullable Loop loop;
  private final @Nullable Promise<?> derived;
  private final Step<T> step;

  private Continuation(@Nullable Loop loop, @Nullable Promise<?> derived, Step<T> step) {
    this.loop = loop;
    this.derived = derived;
    this.step = step;
  }

  /// By whoever is first to know; the step must not throw.
  static <T extends @Nullable Object> Continuation<T> anywhere(Step<T> step) {
    return new Continuation<>(null, null, step);
  }

  /// In a coroutine of the caller's loop, if the caller is one. What the step throws breaks the derived
  /// promise.
  static <T extends @Nullable Object> Continuation<T> here(Promise<?> derived, Step<T> step) {
    Loop loop = Suspension.isInCoroutine() ? Loop.current() : null;
    return new Continuation<>(loop, derived, step);
  }

  /// Any thread.
  void tell(Outcome<T> outcome) {
    if (loop == null) {
      run(outcome);
      return;
    }
    try {
      var _ = loop.submit(() -> runNamed(outcome)).whenComplete((_, thrown) -> neverRun(thrown));
    } catch (ClosedException gone) {
      if (derived != null) {
        derived.ignore().fail(gone);
      }
    }
  }

  private void runNamed(Outcome<T> outcome) {
    Coroutine.current().named("promise");
    run(outcome);
  }

  /// The loop ends, and the coroutine never began.
  private void neverRun(@Nullable Throwable thrown) {
    if (thrown != null && derived != null) {
      derived.ignore().fail(thrown);
    }
  }

  private void run(Outcome<T> outcome) {
    try {
      step.run(outcome);
    } catch (Throwable thrown) {
      if (derived == null) {
        throw new AssertionError(thrown);
      }
      derived.fail(thrown);
    }
  }
}
