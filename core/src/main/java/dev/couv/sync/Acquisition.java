// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Awaitable;
import dev.couv.coro.LoopBound;
import dev.couv.coro.Outcome;
import dev.couv.loop.WaitQueue;
import dev.couv.strand.Seat;
import dev.couv.strand.Selectable;
import dev.couv.strand.Suspension;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A place in a [WaitQueue] as a member of a wait for several things: it takes only if it wins.
///
/// `of` is what is waited for; `queue` is asked by whoever waits; `taken` tells what one gets who has what he wants; `check` throws
/// if he must not even ask.
record Acquisition<W extends @Nullable Object, T extends @Nullable Object>(
    LoopBound of,
    Supplier<? extends WaitQueue<W>> queue,
    W want,
    Supplier<Outcome<T>> taken,
    Runnable check,
    String words)
    implements Awaitable<T>, Selectable<T>, LoopBound {
  @Override
  public T await() throws Exception {
    return Suspension.await(this);
  }

  @Override
  public boolean poll(Seat<T> seat) {
    check.run();
    if (!queue.get().tryTake(want)) {
      return false;
    }
    Outcome<T> got = taken.get();
    seat.receive(got.valueOrNull(), got.failureOrNull());
    return true;
  }

  @Override
  public void enlist(Seat<T> seat) {
    SeatPlace place = new SeatPlace(seat);
    seat.place(place);
    place.join();
  }

  @Override
  public void withdraw(Seat<T> seat) {
    if (seat.place() instanceof WaitQueue.Place<?> place) {
      place.leave();
    }
  }

  @Override
  public void surrender(Seat<T> seat, @Nullable T value, @Nullable Throwable error) {
    queue.get().returned(want);
  }

  /// What is waited for, if that can be awaited itself.
  @Override
  public Object subject() {
    return of instanceof Awaitable<?> ? of : this;
  }

  @Override
  public boolean isReachable() {
    return false;
  }

  @Override
  public boolean isHere() {
    return of.isHere();
  }

  @Override
  public String toString() {
    return words;
  }

  private final class SeatPlace extends WaitQueue.Place<W> {
    private final Seat<T> seat;

    SeatPlace(Seat<T> seat) {
      super(Acquisition.this.queue.get(), Acquisition.this.want);
      this.seat = seat;
    }

    @Override
    protected boolean claim() {
      return seat.claim();
    }

    @Override
    protected boolean isLost() {
      return seat.isLost();
    }

    @Override
    protected void served() {
      Outcome<T> got = taken.get();
      seat.deliver(got.valueOrNull(), got.failureOrNull());
    }
  }
}
