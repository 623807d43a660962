// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.error.ClosedException;
import dev.couv.loop.Firing;
import dev.couv.loop.Kept;
import dev.couv.loop.Line;
import dev.couv.loop.Wording;
import dev.couv.strand.Seat;
import dev.couv.strand.Selectable;
import org.jspecify.annotations.Nullable;

/// An event as a member of waits: who awaits it, and what they are told. That is the next firing; or one that happened
/// while nobody listened, in events that keep those; or the outcome that it was closed with, or that it is closed.
///
/// Confined to the loop.
final class EventSource<T extends @Nullable Object> implements Selectable<T> {
  private final Event<T> event;
  private final Line<Seat<T>> waiting = new Line<>();
  private boolean closed;

  /// What it was closed with, if with an outcome: it is told to latecomers.
  private @Nullable Outcome<T> last;

  /// What happened while nobody listened, oldest first, in events that keep it.
  private @Nullable Kept<Outcome<T>> kept;

  /// How often it happened, if it keeps that.
  private long firings;

  EventSource(Event<T> event) {
    this.event = event;
  }

  boolean isClosed() {
    return closed;
  }

  boolean isAwaited() {
    return !waiting.isEmpty();
  }

  @Nullable Outcome<T> last() {
    return last;
  }

  ClosedException closedError() {
    return new ClosedException(Wording.of(event) + " is closed");
  }

  // ---- telling

  /// Tells those who await it. Whoever is not to be had, because something else has woken it, stays
  /// until it has withdrawn. False if nobody was told. Offers run no user code, so the list stays as it
  /// is meanwhile.
  boolean wake(@Nullable T value, @Nullable Throwable error) {
    Firing firing = event.keeps() && isAwaited() ? new Firing(++firings, 0) : null;
    int told = 0;
    Seat<T> passed = null;
    for (Seat<T> seat; (seat = passed == null ? waiting.first() : waiting.next(passed)) != null; ) {
      if (!seat.claimToTell()) {
        passed = seat;
        continue;
      }
      waiting.remove(seat);
      told++;
      if (firing != null) {
        firing.told();
        seat.note(firing);
      }
      seat.deliver(value, error);
    }
    return told > 0;
  }

  /// It happens no more: whoever waits is told the outcome, or that there is none.
  void close(@Nullable Outcome<T> outcome) {
    closed = true;
    last = outcome;
    kept = null;
    for (Seat<T> seat; (seat = waiting.poll()) != null; ) {
      offerEnd(seat);
    }
  }

  private void offerEnd(Seat<T> seat) {
    Outcome<T> end = ended();
    seat.offer(end.valueOrNull(), end.failureOrNull());
  }

  private Outcome<T> ended() {
    return last == null ? Outcome.failure(closedError()) : last;
  }

  // ---- keeping

  int kept() {
    return kept == null ? 0 : kept.size();
  }

  /// It has happened, and nobody was there for it.
  void keep(@Nullable T value, @Nullable Throwable error) {
    event.keep(Gathering.outcome(value, error), ++firings);
  }

  /// The oldest that is kept, taken out.
  @Nullable Outcome<T> takeKept(Seat<T> seat) {
    Kept.Item<Outcome<T>> oldest = kept == null ? null : kept.take();
    if (oldest == null) {
      return null;
    }
    seat.note(new Firing(oldest.serial(), 1));
    return oldest.value();
  }

  /// Where it was among the others, if it was there.
  void keep(Outcome<T> outcome, long serial) {
    if (kept == null) {
      kept = new Kept<>();
    }
    kept.add(outcome, serial);
  }

  // ---- as a member of a wait

  @Override
  public boolean poll(Seat<T> seat) {
    event.scheduler().checkInside(event);
    Outcome<T> found = closed ? ended() : event.takeKept(seat);
    if (found == null) {
      return false;
    }
    seat.receive(found.valueOrNull(), found.failureOrNull());
    return true;
  }

  @Override
  public void enlist(Seat<T> seat) {
    event.scheduler().checkInside(event);
    if (closed) {
      offerEnd(seat); // since it was asked
      return;
    }
    waiting.add(seat);
    event.arm();
  }

  @Override
  public void withdraw(Seat<T> seat) {
    if (waiting.remove(seat)) {
      event.disarmUnwanted();
    }
  }

  /// What an event that keeps has given is kept again, when the last who was given it has not taken it.
  @Override
  public void surrender(Seat<T> seat, @Nullable T value, @Nullable Throwable error) {
    if (!closed && event.keeps()) {
      if (!(seat.note() instanceof Firing firing)) {
        event.keep(Gathering.outcome(value, error), 0);
      } else if (firing.leftUnseen()) {
        event.keep(Gathering.outcome(value, error), firing.serial());
      }
    }
  }

  @Override
  public Object subject() {
    return event;
  }

  @Override
  public boolean isReachable() {
    return false; // an event that others make happen keeps the loop alive itself
  }

  @Override
  public String toString() {
    return Wording.of(event);
  }
}
