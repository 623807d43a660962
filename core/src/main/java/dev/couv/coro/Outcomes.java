// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Wording;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// How the end of a coroutine is told to those who await it.
final class Outcomes {
  private Outcomes() {}

  /// Throws what a coroutine ended with, itself. Never returns; declared so that callers can write
  /// `throw`.
  static Exception rethrow(Throwable thrown) throws Exception {
    switch (thrown) {
      case Exception exception -> throw exception;
      case Error error -> throw error;
      default -> throw new AssertionError(Wording.of(thrown), thrown);
    }
  }

  /// Throws it where no checked exception can be declared.
  static void throwUnchecked(Throwable thrown) {
    switch (thrown) {
      case RuntimeException exception -> throw exception;
      case Error error -> throw error;
      default -> throw new CompletionException(Wording.of(thrown), thrown);
    }
  }

  /// What awaiting a cancelled coroutine throws: a new one each time, with the awaiter's own trace.
  static CancellationException cancellation(
      String name, String reason, @Nullable Throwable unwinding) {
    CancellationException cancellation =
        new CancellationException(name + " was cancelled: " + reason);
    cancellation.initCause(unwinding);
    return cancellation;
  }

  /// None is null, one is itself, several are a list.
  static @Nullable Object packed(List<@Nullable Object> values) {
    return switch (values.size()) {
      case 0 -> null;
      case 1 -> values.getFirst();
      default -> values;
    };
  }
}
