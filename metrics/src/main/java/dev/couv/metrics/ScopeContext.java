// SPDX-License-Identifier: Apache-2.0
package dev.couv.metrics;

import dev.couv.coro.Scope;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import org.jspecify.annotations.Nullable;

/// OpenTelemetry's contexts among the values of scopes, and a storage that knows them: where nothing is attached to a thread, it
/// has what the scope has.
final class ScopeContext implements ContextStorage {
  private static final Object KEY = ScopeContext.class;

  private final ContextStorage threads;

  ScopeContext(ContextStorage threads) {
    this.threads = threads;
  }

  static void set(Scope scope, Context context) {
    scope.context().replace(KEY, context);
  }

  /// Null outside of coroutines, and where no scope has one.
  static @Nullable Context find() {
    if (!Thread.currentThread().isVirtual()) {
      return null; // asking would be an exception, and every thread asks
    }
    try {
      return dev.couv.coro.Context.current().find(KEY);
    } catch (IllegalStateException noCoroutine) {
      return null;
    }
  }

  @Override
  public io.opentelemetry.context.Scope attach(Context context) {
    return threads.attach(context);
  }

  @Override
  public @Nullable Context current() {
    Context attached = threads.current();
    return attached == null ? find() : attached;
  }

  @Override
  public Context root() {
    return threads.root();
  }
}
