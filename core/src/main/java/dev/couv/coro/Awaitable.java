// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import org.jspecify.annotations.Nullable;

/// Something a coroutine can wait for: another coroutine, an event, a promise.
public interface Awaitable<T extends @Nullable Object> {
  /// Suspends the calling coroutine until there is a result, or throws the reason why there is none.
  T await() throws Exception;
}
