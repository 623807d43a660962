// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Line;
import org.jspecify.annotations.Nullable;

/// A place in a wait, which a source of the wait was given: see [Selectable]. Any thread may claim it
/// and deliver.
public abstract class Seat<T extends @Nullable Object> extends Line.Member {
  /// What the source needs to know if the outcome is surrendered.
  @Nullable Object note;

  /// What the source has made of it, from when it is enlisted until it is withdrawn.
  @Nullable Object place;

  Seat() {}

  /// Remembers something for the source, until the outcome was taken or surrendered. Before the outcome
  /// is delivered.
  public final void note(@Nullable Object newNote) {
    note = newNote;
  }

  /// What the source wanted to remember.
  public final @Nullable Object note() {
    return note;
  }

  /// Remembers where the source has put it, for when it is withdrawn.
  public final void place(@Nullable Object newPlace) {
    place = newPlace;
  }

  /// Where the source has put it.
  public final @Nullable Object place() {
    return place;
  }

  /// Whether its wait is decided or given up: it cannot be claimed any more, and is withdrawn when its
  /// coroutine runs. A source need not keep it until then. Any thread.
  public abstract boolean isLost();

  /// True for the one source that ends the wait; where each source counts for itself, true once for
  /// each. Whoever gets true owes exactly one delivery. Atomic, any thread.
  public abstract boolean claim();

  /// Claims it for a source of the same loop that has what it tells now and not later, and that loses nothing if it
  /// gets it back: it need not wait until the coroutine has asked its other sources.
  public abstract boolean claimToTell();

  /// Takes a value, or an error if that is not null, which the source had when it was asked: by [Selectable#poll] only.
  public abstract void receive(@Nullable T value, @Nullable Throwable error);

  /// Hands over a value, or an error if that is not null. After a claim that was won, once. Any
  /// thread; runs no user code.
  public abstract void deliver(@Nullable T value, @Nullable Throwable error);

  /// Claims, and delivers if that is won. False if somebody else was there before, or the coroutine
  /// is not waiting yet and will ask: then the source keeps what it has.
  public final boolean offer(@Nullable T value, @Nullable Throwable error) {
    if (!claim()) {
      return false;
    }
    deliver(value, error);
    return true;
  }
}
