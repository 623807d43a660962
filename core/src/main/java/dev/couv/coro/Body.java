// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// What a coroutine runs, when it has a result.
@FunctionalInterface
public interface Body<T extends @Nullable Object> extends Callable<T> {
  /// Does it, in a coroutine.
  T run() throws Exception;

  /// Runs it, for whoever knows it only as a `Callable`.
  @Override
  default T call() throws Exception {
    return run();
  }

  /// The action as a body that brings nothing.
  @SuppressWarnings("NullAway") // a body without a result has only null to return
  static Body<@Nullable Void> of(Action action) {
    Objects.requireNonNull(action, "body");
    return () -> {
      action.run();
      return null;
    };
  }
}
