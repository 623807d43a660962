// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Slot;
import dev.couv.loop.Waiter;
import dev.couv.world.Request;
import java.io.IOException;
import java.util.function.Consumer;

/// One request that waits for itself: no coroutine's slot is bound to it.
final class Attempt<T> implements Waiter {
  private final Request<T> request;
  private final Consumer<Attempt<T>> told;
  private final Slot slot;

  /// Whoever is told, in a callback, that it has ended, takes what it brought.
  Attempt(EventLoop loop, Request<T> request, Consumer<Attempt<T>> told) {
    this.request = request;
    this.told = told;
    this.slot = new Slot(loop);
  }

  /// False if whoever is told will hear of it, true if it has ended at once.
  boolean begin() {
    boolean waits = false;
    try {
      waits = !request.start(this);
      return !waits;
    } finally {
      if (!waits) {
        slot.settle();
      }
    }
  }

  /// When it has ended: what it brought, which is the caller's, or why there is nothing.
  T finish() throws IOException {
    return request.finish();
  }

  /// Gives it up, while it waits.
  void leave() {
    request.cancel();
    slot.settle();
  }

  @Override
  public Slot slot() {
    return slot;
  }

  @Override
  public void completed() {
    slot.settle();
    told.accept(this);
  }

  @Override
  public String toString() {
    return request.toString();
  }
}
