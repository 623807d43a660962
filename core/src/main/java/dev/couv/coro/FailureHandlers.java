// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Group;
import dev.couv.strand.Outcomes;
import dev.couv.strand.Strand;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/// Who takes the failures of a scope's coroutines that nobody awaits. Each failure is told by a
/// coroutine of the scope, because handlers are the user's code and may await; so the scope is not left
/// before they have returned.
final class FailureHandlers {
  private final List<BiConsumer<Strand, Throwable>> handlers = new ArrayList<>(0);

  void add(BiConsumer<Strand, Throwable> handler) {
    handlers.add(handler);
  }

  boolean isEmpty() {
    return handlers.isEmpty();
  }

  /// Tells them, in a coroutine of that scope. If one throws, the failure goes to `unhandled` after all.
  void tell(
      Group scope, Strand failed, Throwable failure, BiConsumer<Strand, Throwable> unhandled) {
    Chore.beginShielded(
        failed.scheduler(),
        scope,
        "failure of " + failed.name(),
        failed.site(),
        () -> accept(failed, failure, unhandled));
  }

  private void accept(Strand failed, Throwable failure, BiConsumer<Strand, Throwable> unhandled) {
    try {
      for (int i = 0; i < handlers.size(); i++) {
        handlers.get(i).accept(failed, failure);
      }
    } catch (Throwable thrown) {
      Outcomes.suppress(failure, thrown);
      unhandled.accept(failed, failure);
    }
  }
}
