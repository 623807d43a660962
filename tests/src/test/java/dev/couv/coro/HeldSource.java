// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Seat;
import java.util.ArrayList;
import java.util.List;

/// A source that does nothing by itself: tests claim its seats, and deliver, when they like.
final class HeldSource<T> extends TestSource<T> {
  final List<Seat<T>> seats = new ArrayList<>();
  final List<Outcome<T>> surrendered = new ArrayList<>();
  final List<Object> log = new ArrayList<>();

  /// What the next poll finds.
  Outcome<T> ready;

  @Override
  protected Outcome<T> poll() {
    Outcome<T> found = ready;
    ready = null;
    log.add(found == null ? "poll" : "found");
    return found;
  }

  @Override
  public void enlist(Seat<T> seat) {
    log.add("enlist");
    seats.add(seat);
  }

  @Override
  public void withdraw(Seat<T> seat) {
    log.add("withdraw");
    seats.remove(seat);
  }

  @Override
  protected void surrender(Seat<T> seat, Outcome<T> outcome) {
    synchronized (surrendered) {
      surrendered.add(outcome);
    }
  }

  Seat<T> seat() {
    return seats.getFirst();
  }

  @Override
  public String toString() {
    return "held";
  }
}
