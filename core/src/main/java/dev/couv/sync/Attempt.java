// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.EventLoop;
import org.jspecify.annotations.Nullable;

/// A party that never waits.
final class Attempt<T> extends Party<T> {
  Attempt(Chan<T> via, Endpoint endpoint, @Nullable T gift) {
    super(via, endpoint, gift);
  }

  @Override
  void tell(@Nullable EventLoop here) {
    throw new AssertionError("it never waits");
  }
}
