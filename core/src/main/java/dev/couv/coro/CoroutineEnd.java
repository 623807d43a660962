// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Seat;
import dev.couv.strand.Selectable;
import dev.couv.strand.Strand;
import org.jspecify.annotations.Nullable;

/// The end of a coroutine, as a member of a wait.
record CoroutineEnd<T extends @Nullable Object>(Coroutine<T> coroutine) implements Selectable<T> {
  @Override
  @SuppressWarnings("unchecked") // the result is what the body of type T returned
  public boolean poll(Seat<T> seat) {
    Strand strand = coroutine.strand();
    strand.scheduler().checkInside(coroutine);
    if (Strand.currentOrNull() == strand) {
      throw new IllegalStateException(coroutine + " cannot await itself");
    }
    if (!strand.isEnded()) {
      return false;
    }
    strand.ending().claim();
    seat.receive((@Nullable T) strand.ending().result(), strand.outcome());
    return true;
  }

  @Override
  public void enlist(Seat<T> seat) {
    coroutine.strand().scheduler().checkInside(coroutine);
    coroutine.strand().ending().addSeat(seat);
  }

  @Override
  public void withdraw(Seat<T> seat) {
    if (coroutine.strand().ending().removeSeat(seat)) {
      coroutine.strand().disclaimed();
    }
  }

  /// A failure that nobody else has seen is everybody's again.
  @Override
  public void surrender(Seat<T> seat, @Nullable T value, @Nullable Throwable error) {
    coroutine.strand().disclaimed();
  }

  @Override
  public Object subject() {
    return coroutine;
  }

  @Override
  public boolean isReachable() {
    return false;
  }

  @Override
  public String toString() {
    return "the end of " + coroutine;
  }
}
