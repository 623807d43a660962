// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Outcome;
import dev.couv.coro.Seat;
import dev.couv.coro.Selectable;
import dev.couv.coro.Suspension;
import org.jspecify.annotations.Nullable;

/// The end of a promise as something to wait for: brings the promise itself, whatever its outcome.
record PromiseEnd<T extends @Nullable Object>(Promise<T> promise, Pledge<T> pledge)
    implements Selectable<Promise<?>> {
  @Override
  public @Nullable Outcome<Promise<?>> poll() {
    return promise.isDone() ? Outcome.value(promise) : null;
  }

  @Override
  public void enlist(Seat<Promise<?>> seat) {
    pledge.enlist(seat, new Awaiting.ForEnd<>(seat, promise, Suspension.loop("Promise.awaitAny")));
  }

  @Override
  public void withdraw(Seat<Promise<?>> seat) {
    pledge.withdraw(seat);
  }

  @Override
  public String toString() {
    return "the end of " + promise;
  }
}
