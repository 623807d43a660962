// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// How a strand ended, and who is told: first the handlers in the order they came, then those who
/// await it. Made when the strand ends, or when somebody first cares.
public final class Ending {
  private @Nullable Object result;
  private @Nullable Throwable failure;

  /// How many deal with its failure: await it, resumed it, or were handed it.
  private int claims;

  private @Nullable List<Consumer<Ending>> handlers;
  private @Nullable Line<Seat<?>> seats;

  Ending() {}

  // ---- how

  /// What the body returned, or null.
  public @Nullable Object result() {
    return result;
  }

  /// What the body threw, or null.
  public @Nullable Throwable failure() {
    return failure;
  }

  void succeeded(@Nullable Object newResult) {
    result = newResult;
  }

  void failed(Throwable newFailure) {
    failure = newFailure;
  }

  // ---- whose failure it is

  /// One more deals with its failure.
  public void claim() {
    claims++;
  }

  /// One of them left without having seen it.
  void disclaim() {
    claims--;
  }

  public boolean isClaimed() {
    return claims > 0;
  }

  public int claims() {
    return claims;
  }

  // ---- who is told

  /// To be run in the ending strand.
  public void addHandler(Consumer<Ending> handler) {
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
    return homeless;
  }

  boolean isAwaited() {
    return seats != null && !seats.isEmpty();
  }

  /// Somebody awaits the end, and so deals with a failure.
  public void addSeat(Seat<?> seat) {
    claim();
    if (seats == null) {
      seats = new Line<>();
    }
    seats.add(seat);
  }

  /// False if it was told, or never there.
  public boolean removeSeat(Seat<?> seat) {
    return seats != null && seats.remove(seat);
  }

  /// Those who wait and can be told, claimed. Whoever is not to be had, because it is about to leave, stays and counts
  /// until it has.
  List<Seat<?>> takeSeats() {
    return seats == null ? List.of() : seats.takeIf(Seat::claim);
  }
}
