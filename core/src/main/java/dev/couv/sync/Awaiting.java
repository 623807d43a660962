// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Outcome;
import dev.couv.loop.EventLoop;
import dev.couv.loop.OutsideWait;
import dev.couv.strand.Seat;
import org.jspecify.annotations.Nullable;

/// A coroutine that waits for a promise: the seat in its wait that the promise was given.
final class Awaiting extends OutsideWait {
  private final Seat<@Nullable Object> seat;

  /// What it is told when there is an outcome; null if that is the outcome itself.
  private final @Nullable Object end;

  @SuppressWarnings("unchecked") // it is told what its source would have
  Awaiting(Seat<?> seat, @Nullable Object end, EventLoop loop) {
    super(loop);
    this.seat = (Seat<@Nullable Object>) seat;
    this.end = end;
  }

  boolean claim() {
    return seat.claim();
  }

  /// Whether it is told the outcome, and not just that there is one.
  boolean observes() {
    return end == null;
  }

  /// After a claim. Any thread.
  void deliver(Outcome<?> outcome) {
    if (end == null) {
      seat.deliver(outcome.valueOrNull(), outcome.failureOrNull());
    } else {
      seat.deliver(end, null);
    }
  }
}
