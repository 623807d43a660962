// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import org.jspecify.annotations.Nullable;

/// An event that whoever has it may fire, in a coroutine of its loop. From other threads: a [Trigger].
public class Emitter<T extends @Nullable Object> extends Event<T> {
  /// An event of the calling coroutine's loop.
  public Emitter() {}

  @Override
  public void fire(@Nullable T newValue, @Nullable Throwable newError) throws Exception {
    super.fire(newValue, newError);
  }

  @Override
  public void fireAndClose(@Nullable T newValue, @Nullable Throwable newError) throws Exception {
    super.fireAndClose(newValue, newError);
  }
}
