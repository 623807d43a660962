// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Seat;
import dev.couv.strand.Selectable;
import dev.couv.strand.Suspension;

/// A source that tells in outcomes: what sources of the runtime do without making one.
public abstract class TestSource<T> implements Awaitable<T>, Selectable<T> {
  /// The outcome if there is one now, which is thereby taken; else null.
  protected abstract Outcome<T> poll();

  /// What was given and not taken.
  protected void surrender(Seat<T> seat, Outcome<T> outcome) {}

  @Override
  public T await() throws Exception {
    return Suspension.await(this);
  }

  @Override
  public boolean poll(Seat<T> seat) {
    Outcome<T> found = poll();
    if (found != null) {
      seat.receive(found.valueOrNull(), found.failureOrNull());
    }
    return found != null;
  }

  @Override
  public void surrender(Seat<T> seat, T value, Throwable error) {
    surrender(seat, error == null ? Outcome.value(value) : Outcome.failure(error));
  }
}
