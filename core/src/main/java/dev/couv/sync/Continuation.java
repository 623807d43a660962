// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Outcome;
import dev.couv.error.ClosedException;
import dev.couv.loop.Line;
import dev.couv.strand.Suspension;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What is to be done when a promise is: in a coroutine of a loop, or, without one, by whoever is first to
/// know.
final class Continuation<T extends @Nullable Object, U extends @Nullable Object>
    extends Line.Member {
  /// Makes the outcome of the derived promise.
  interface Step<T extends @Nullable Object, U extends @Nullable Object> {
    Outcome<U> run(Outcome<T> outcome) throws Exception;
  }

  private final @Nullable Loop loop;
  private final @Nullable Pledge<U> derived;
  private final Step<T, U> step;

  private Continuation(@Nullable Loop loop, @Nullable Pledge<U> derived, Step<T, U> step) {
    this.loop = loop;
    this.derived = derived;
    this.step = step;
  }

  /// By whoever is first to know; it must not throw.
  static <T extends @Nullable Object> Continuation<T, T> anywhere(Consumer<Outcome<T>> told) {
    return new Continuation<>(
        null,
        null,
        outcome -> {
          told.accept(outcome);
          return outcome;
        });
  }

  /// In a coroutine of the caller's loop, if the caller is one. What the step throws breaks the derived
  /// promise.
  static <T extends @Nullable Object, U extends @Nullable Object> Continuation<T, U> here(
      Pledge<U> derived, Step<T, U> step) {
    Loop loop = Suspension.isInCoroutine() ? Loop.current() : null;
    return new Continuation<>(loop, derived, step);
  }

  // ---- telling

  /// One that is to be told something.
  private record Telling<T extends @Nullable Object>(Continuation<T, ?> told, Outcome<T> outcome) {
    void run(ArrayDeque<Telling<?>> open) {
      told.tell(outcome, open);
    }
  }

  /// Tells each in turn, and before the next one those that this brings about. A chain of promises may be of
  /// any length: that of the derived promise is the last thing a step does, so it needs no place on the
  /// stack. Any thread.
  static <T extends @Nullable Object> void tell(
      List<? extends Continuation<T, ?>> told, Outcome<T> outcome) {
    if (told.isEmpty()) {
      return;
    }
    ArrayDeque<Telling<?>> open = new ArrayDeque<>();
    push(told, outcome, open);
    for (Telling<?> next; (next = open.poll()) != null; ) {
      next.run(open);
    }
  }

  private static <T extends @Nullable Object> void push(
      List<? extends Continuation<T, ?>> told, Outcome<T> outcome, ArrayDeque<Telling<?>> open) {
    told.reversed().forEach(continuation -> open.push(new Telling<>(continuation, outcome)));
  }

  private void tell(Outcome<T> outcome, ArrayDeque<Telling<?>> open) {
    if (loop == null) {
      settle(run(outcome), open);
      return;
    }
    try {
      var _ = loop.submit(() -> runNamed(outcome)).whenComplete((_, thrown) -> neverRun(thrown));
    } catch (ClosedException gone) {
      refuse(gone, open);
    }
  }

  private void settle(Outcome<U> outcome, ArrayDeque<Telling<?>> open) {
    List<Continuation<U, ?>> told = derived == null ? null : derived.settled(outcome);
    if (told != null) {
      push(told, outcome, open);
    }
  }

  private void refuse(Throwable gone, ArrayDeque<Telling<?>> open) {
    if (derived != null) {
      derived.observe(1);
      settle(Pledge.broken(gone), open);
    }
  }

  private void runNamed(Outcome<T> outcome) {
    Coroutine.current().named("promise");
    Outcome<U> made = run(outcome);
    if (derived != null) {
      derived.settle(made);
    }
  }

  /// The loop ends, and the coroutine never began.
  private void neverRun(@Nullable Throwable thrown) {
    if (thrown != null && derived != null) {
      derived.observe(1);
      derived.settle(Pledge.broken(thrown));
    }
  }

  private Outcome<U> run(Outcome<T> outcome) {
    try {
      return step.run(outcome);
    } catch (Throwable thrown) {
      if (derived == null) {
        throw new AssertionError(thrown);
      }
      return Pledge.broken(thrown);
    }
  }
}
