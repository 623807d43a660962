// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Outcomes;
import dev.couv.strand.ReasonedCloseable;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What is left to do when the coroutines of a scope have ended: the handlers in the order they were
/// added, which may still use what the scope owns; then that is closed, the youngest first. All of it
/// happens, whatever some of it throws.
final class Finalizers {
  /// The failure that the scope ends with, if there is one, is told.
  interface Step {
    void run(@Nullable Throwable failure) throws Exception;
  }

  private final ArrayDeque<Step> handlers = new ArrayDeque<>(0);
  private final ArrayDeque<AutoCloseable> owned = new ArrayDeque<>(0);

  void add(Step handler) {
    handlers.addLast(handler);
  }

  void own(AutoCloseable resource) {
    owned.addLast(resource);
  }

  boolean ownsAny() {
    return !owned.isEmpty();
  }

  boolean isEmpty() {
    return handlers.isEmpty() && owned.isEmpty();
  }

  /// Does the next thing; what it throws is told. What is closed is told why, if the scope failed or was
  /// cancelled. False if there is nothing to do.
  boolean runNext(
      @Nullable Throwable failure, @Nullable String cancelReason, Consumer<Throwable> failed) {
    Step handler = handlers.pollFirst();
    AutoCloseable resource = handler == null ? owned.pollLast() : null;
    try {
      if (handler != null) {
        handler.run(failure);
      } else if (resource instanceof ReasonedCloseable told && failure != null) {
        told.close(failure);
      } else if (resource instanceof ReasonedCloseable told && cancelReason != null) {
        told.close(Outcomes.cancellation("what it belongs to", cancelReason, null));
      } else if (resource != null) {
        resource.close();
      }
    } catch (Throwable thrown) {
      failed.accept(thrown);
    }
    return handler != null || resource != null;
  }
}
