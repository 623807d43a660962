// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import org.jspecify.annotations.Nullable;

/// What a coroutine runs, when it has a result.
@FunctionalInterface
public interface Body<T extends @Nullable Object> {
  T run() throws Exception;
}
