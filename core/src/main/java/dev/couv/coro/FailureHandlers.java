// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/// Who takes the failures of a scope's coroutines that nobody awaits. Each failure is told by a
/// coroutine of the scope, because handlers are the user's code and may await; so the scope is not left
/// before they have returned.
final class FailureHandlers {
  private final Scope scope;
  private final List<BiConsumer<? super Coroutine<?>, ? super Throwable>> handlers =
      new ArrayList<>(0);

  FailureHandlers(Scope scope) {
    this.scope = scope;
  }

  void add(BiConsumer<? super Coroutine<?>, ? super Throwable> handler) {
    handlers.add(handler);
  }

  boolean isEmpty() {
    return handlers.isEmpty();
  }

  /// Tells them. If one throws, the failure is the scope's after all.
  void tell(Scheduler scheduler, Strand failed, Throwable failure) {
    Action body = () -> accept(failed, failure);
    Coroutine<?> teller = Coroutine.prepared(scheduler, scope, Coroutine.body(body), failed.site());
    teller.strand().shield();
    teller.named("failure of " + failed.name()).begin();
  }

  private void accept(Strand failed, Throwable failure) {
    try {
      for (int i = 0; i < handlers.size(); i++) {
        handlers.get(i).accept(failed.coroutine(), failure);
      }
    } catch (Throwable thrown) {
      Outcomes.suppress(failure, thrown);
      scope.unhandled(failed, failure);
    }
  }
}
