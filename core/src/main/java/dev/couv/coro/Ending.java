// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// How a strand ended, and who is told: first the handlers in the order they came, then those who
/// await it. Made when the strand ends, or when somebody first cares.
final class Ending implements Holder {
  private final Strand strand;
  private @Nullable Object result;
  private @Nullable Throwable failure;

  /// How many deal with its failure: await it, resumed it, or were handed it.
  private int claims;

  private @Nullable List<Consumer<Ending>> handlers;
  private @Nullable Line<Seat<?>> seats;

  /// What it has taken and not given back, the latest last.
  private @Nullable List<Holding> holdings;

  Ending(Strand strand) {
    this.strand = strand;
  }

  @Nullable Object result() {
    return result;
  }

  /// What the body threw, or null.
  @Nullable Throwable failure() {
    return failure;
  }

  void succeeded(@Nullable Object newResult) {
    result = newResult;
  }

  void failed(Throwable newFailure) {
    failure = newFailure;
  }

  void addHandler(Consumer<Ending> handler) {
    if (handlers == null) {
      handlers = new ArrayList<>(1);
    }
    handlers.add(handler);
  }

  /// Runs the handlers, also those that a handler adds. Returns what they threw if the strand itself
  /// did not fail; else that is suppressed in its failure.
  List<Throwable> runHandlers() {
    List<Throwable> homeless = List.of();
    for (int i = 0; handlers != null && i < handlers.size(); i++) {
      try {
        handlers.get(i).accept(this);
      } catch (Throwable thrown) {
        if (failure == null) {
          homeless = homeless.isEmpty() ? new ArrayList<>() : homeless;
          homeless.add(thrown);
        } else {
          Outcomes.suppress(failure, thrown);
        }
      }
    }
    handlers = null;
    tellHoldings();
    return homeless;
  }

  void claim() {
    claims++;
  }

  /// One of them left without having seen it.
  void disclaim() {
    claims--;
  }

  boolean isClaimed() {
    return claims > 0;
  }

  int claims() {
    return claims;
  }

  boolean isAwaited() {
    return seats != null && !seats.isEmpty();
  }

  void addSeat(Seat<?> seat) {
    claim();
    if (seats == null) {
      seats = new Line<>();
    }
    seats.add(seat);
  }

  /// False if it was told, or never there.
  boolean removeSeat(Seat<?> seat) {
    return seats != null && seats.remove(seat);
  }

  @Override
  public void takes(Holding holding) {
    if (holdings == null) {
      holdings = new ArrayList<>(1);
    }
    holdings.add(holding);
  }

  @Override
  public void gives(Holding holding) {
    if (holdings != null) {
      holdings.remove(holdings.lastIndexOf(holding));
    }
  }

  /// What it still holds when the last of its code has run.
  private void tellHoldings() {
    List<Holding> left = holdings;
    holdings = null;
    if (left != null) {
      left.forEach(Holding::holderEnded);
    }
  }

  /// Tells those who wait. Whoever is not to be had, because it is about to leave, stays and counts
  /// until it has.
  @SuppressWarnings("unchecked") // the seats are of those who await what the body returned
  void tellSeats(Supplier<Outcome<?>> outcome) {
    if (seats == null) {
      return;
    }
    List<Seat<?>> told = seats.list();
    told.removeIf(seat -> !seat.claim());
    told.forEach(seats::remove);
    told.forEach(seat -> ((Seat<Object>) seat).deliver(outcome.get()));
  }

  @Override
  public String toString() {
    return strand.name();
  }
}
