// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Awaitable;
import dev.couv.strand.Seat;
import dev.couv.strand.Selectable;
import dev.couv.strand.Suspension;
import org.jspecify.annotations.Nullable;

/// The end of a promise as something to wait for: brings the promise itself, whatever its outcome.
record PromiseEnd<T extends @Nullable Object>(Promise<T> promise, Pledge<T> pledge)
    implements Awaitable<Promise<?>>, Selectable<Promise<?>> {
  @Override
  public Promise<?> await() throws Exception {
    return Suspension.await(this);
  }

  @Override
  public boolean poll(Seat<Promise<?>> seat) {
    if (!promise.isDone()) {
      return false;
    }
    seat.receive(promise, null);
    return true;
  }

  @Override
  public void enlist(Seat<Promise<?>> seat) {
    pledge.enlist(seat, new Awaiting(seat, promise, Suspension.loop("Promise.awaitAny")));
  }

  @Override
  public void withdraw(Seat<Promise<?>> seat) {
    pledge.leave(seat);
  }

  @Override
  public String toString() {
    return "the end of " + promise;
  }
}
