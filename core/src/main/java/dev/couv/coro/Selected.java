// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import org.jspecify.annotations.Nullable;

/// Which of several came first, and what it brought.
///
/// @param source which of those that were given
/// @param value what it brought
public record Selected<T extends @Nullable Object>(Awaitable<?> source, T value) {}
