// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Outcome;
import dev.couv.strand.Seat;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Line;
import org.jspecify.annotations.Nullable;

/// A seat in some coroutine's wait that a promise was given, and how that wait is counted with the
/// coroutine's loop: `expected` if somebody outside of the loop is known to bring the outcome, else in
/// doubt.
final class Enlisted extends Line.Member {
  private final Seat<?> seat;
  private final boolean ofEnd;
  private final EventLoop loop;
  private final boolean expected;

  Enlisted(Seat<?> seat, boolean ofEnd, EventLoop loop, boolean expected) {
    this.seat = seat;
    this.ofEnd = ofEnd;
    this.loop = loop;
    this.expected = expected;
  }

  /// Whether it is told the outcome, and not just that there is one.
  boolean observes() {
    return !ofEnd;
  }

  boolean claim() {
    return seat.claim();
  }

  /// After a claim, from a coroutine of the loop `here` or from elsewhere.
  @SuppressWarnings("unchecked") // the seat is of one who waits for that
  <T extends @Nullable Object> void deliver(
      Promise<T> promise, Outcome<T> outcome, @Nullable EventLoop here) {
    if (ofEnd) {
      ((Seat<Promise<T>>) seat).deliver(promise, null);
    } else {
      ((Seat<T>) seat).deliver(outcome);
    }
    if (here == loop) {
      end();
    } else {
      loop.post(this::end); // a closed loop counts no more
    }
  }

  /// Loop thread.
  void start() {
    if (expected) {
      loop.outsideWaitStarted();
    } else {
      loop.doubtfulWaitStarted();
    }
  }

  /// Loop thread.
  void end() {
    if (expected) {
      loop.outsideWaitEnded();
    } else {
      loop.doubtfulWaitEnded();
    }
  }
}
