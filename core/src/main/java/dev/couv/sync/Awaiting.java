// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Outcome;
import dev.couv.loop.EventLoop;
import dev.couv.loop.OutsideWait;
import dev.couv.strand.Seat;
import org.jspecify.annotations.Nullable;

/// A coroutine that waits for a promise: the seat in its wait that the promise was given.
abstract class Awaiting<T extends @Nullable Object> extends OutsideWait {
  private final Seat<?> seat;

  Awaiting(Seat<?> seat, EventLoop loop) {
    super(loop);
    this.seat = seat;
  }

  final boolean claim() {
    return seat.claim();
  }

  /// Whether it is told the outcome, and not just that there is one.
  abstract boolean observes();

  /// After a claim. Any thread.
  abstract void deliver(Outcome<T> outcome);

  /// Waits for the outcome.
  static final class ForOutcome<T extends @Nullable Object> extends Awaiting<T> {
    private final Seat<T> seat;

    ForOutcome(Seat<T> seat, EventLoop loop) {
      super(seat, loop);
      this.seat = seat;
    }

    @Override
    boolean observes() {
      return true;
    }

    @Override
    void deliver(Outcome<T> outcome) {
      seat.deliver(outcome.valueOrNull(), outcome.failureOrNull());
    }
  }

  /// Waits for the end, and is told whose it was.
  static final class ForEnd<T extends @Nullable Object, P> extends Awaiting<T> {
    private final Seat<P> seat;
    private final P promise;

    ForEnd(Seat<P> seat, P promise, EventLoop loop) {
      super(seat, loop);
      this.seat = seat;
      this.promise = promise;
    }

    @Override
    boolean observes() {
      return false;
    }

    @Override
    void deliver(Outcome<T> outcome) {
      seat.deliver(promise, null);
    }
  }
}
