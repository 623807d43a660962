// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Seat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Values of one loop that are each given to one taker, in order: what must not be lost.
final class Mailbox extends TestSource<Integer> {
  private final Deque<Integer> values = new ArrayDeque<>();
  private final List<Seat<Integer>> seats = new ArrayList<>();
  private int enlisted;

  void put(int value) {
    if (!give(value)) {
      values.addLast(value);
    }
  }

  private boolean give(int value) {
    for (int i = 0; i < seats.size(); i++) {
      if (seats.get(i).offer(value, null)) {
        seats.remove(i);
        return true;
      }
    }
    return false;
  }

  List<Integer> left() {
    return List.copyOf(values);
  }

  boolean isDeserted() {
    return seats.isEmpty() && enlisted == 0;
  }

  @Override
  protected Outcome<Integer> poll() {
    return values.isEmpty() ? null : Outcome.value(values.removeFirst());
  }

  @Override
  public void enlist(Seat<Integer> seat) {
    enlisted++;
    seats.add(seat);
  }

  @Override
  public void withdraw(Seat<Integer> seat) {
    enlisted--;
    seats.remove(seat);
  }

  @Override
  protected void surrender(Seat<Integer> seat, Outcome<Integer> outcome) {
    int value = ((Outcome.Value<Integer>) outcome).value();
    if (!give(value)) {
      values.addFirst(value);
    }
  }
}
