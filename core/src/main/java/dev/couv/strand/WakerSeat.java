// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A seat of a [Waker]. Where one outcome ends the wait, all its seats share the state of the first,
/// the decider; where each counts for itself, each is its own.
///
/// ```
///          prepare             open             claim
///   OVER ───────────▶ PREPARING ────▶ OPEN ─────────────▶ CLAIMED
///                      │     ▲          │ leave             │ deliver
///      claim from      ▼     │ asks     ▼                   ▼
///      elsewhere     WANTED ─┘ again   OVER            it has arrived
/// ```
///
/// PREPARING: the coroutine is still enlisting and asking. Only its own loop can claim then, while it enlists: a
/// source that fires while it is being armed. Another thread's claim fails and leaves the mark WANTED, for
/// which the coroutine asks all its sources again before it sleeps; so does a claim of its own loop while it asks, which
/// is when a source made it wait for a lock. So when two waits meet at one
/// channel, a wait that looks for a partner is never one that can be claimed: nobody
/// has to claim two seats at once. Who only has something to tell, an event, may claim it all the same: if the source
/// that is asked has something, too, that counts, and the event gets its own back.
public final class WakerSeat extends Seat<@Nullable Object> {
  private enum State {
    OVER,
    PREPARING,
    WANTED,
    OPEN,
    CLAIMED
  }

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(WakerSeat.class, "state", State.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final Waker waker;

  // Any thread.
  private volatile State state = State.OVER;

  // Written before a source knows of the seat.
  private WakerSeat decider = this;
  private @Nullable Selectable<@Nullable Object> source;

  // Loop only.
  private boolean enlisted;
  private Arrival arrival = Arrival.NOTHING;
  private int rank;
  private @Nullable Object value;
  private @Nullable Throwable error;

  WakerSeat(Waker waker) {
    this.waker = waker;
  }

  // ---- by the source

  @Override
  public boolean claim() {
    return decider.claimed(false);
  }

  @Override
  public boolean claimToTell() {
    return decider.claimed(true);
  }

  private boolean claimed(boolean toTell) {
    while (true) {
      State seen = state;
      switch (seen) {
        case OPEN -> {
          if (STATE.compareAndSet(this, State.OPEN, State.CLAIMED)) {
            return true;
          }
        }
        case PREPARING, WANTED -> {
          boolean inside = waker.isInside();
          if (inside && waker.asksItself()) {
            return false; // it asks the other end of the same source
          }
          if (inside && (toTell || !waker.isAsking())) {
            if (STATE.compareAndSet(this, seen, State.CLAIMED)) {
              return true;
            }
          } else if (seen == State.WANTED
              || STATE.compareAndSet(this, State.PREPARING, State.WANTED)) {
            return false;
          }
        }
        case OVER, CLAIMED -> {
          return false;
        }
      }
    }
  }

  @Override
  public boolean isLost() {
    return switch (decider.state) {
      case PREPARING, WANTED, OPEN -> false;
      case OVER, CLAIMED -> true;
    };
  }

  @Override
  public void deliver(@Nullable Object newValue, @Nullable Throwable newError) {
    if (waker.isInside()) {
      arrive(newValue, newError);
    } else if (!waker.post(() -> arrive(newValue, newError))) {
      // Its loop is closed: nobody will take it.
      source().surrender(this, newValue, newError);
    }
  }

  private void arrive(@Nullable Object newValue, @Nullable Throwable newError) {
    if (arrival == Arrival.ABANDONED) {
      source().surrender(this, newValue, newError);
    } else {
      hold(arrival.deliver(), newValue, newError);
    }
  }

  private void hold(Arrival how, @Nullable Object newValue, @Nullable Throwable newError) {
    value = newValue;
    error = newError;
    arrival = how;
    rank = waker.arrived(newError == null);
  }

  // ---- by the waiting coroutine

  void give(Selectable<@Nullable Object> selectable) {
    source = selectable;
  }

  /// Takes the outcome if the source has one now.
  boolean ask() {
    return source().poll(this);
  }

  @Override
  public void receive(@Nullable Object newValue, @Nullable Throwable newError) {
    hold(arrival.find(), newValue, newError);
  }

  /// Whether its outcome was found by asking: that cannot be given back by everybody.
  boolean wasAsked() {
    return arrival == Arrival.FOUND;
  }

  /// Before it is enlisted: `deciding` is asked whether it can be claimed.
  void prepare(WakerSeat deciding) {
    decider = deciding;
    if (deciding == this) {
      state = State.PREPARING;
    }
  }

  void enlist() {
    enlisted = true;
    source().enlist(this);
  }

  /// From now on anybody may claim it. False if another thread wanted to meanwhile: ask again.
  boolean open() {
    if (STATE.compareAndSet(this, State.PREPARING, State.OPEN)) {
      return true;
    }
    STATE.compareAndSet(this, State.WANTED, State.PREPARING);
    return state == State.CLAIMED;
  }

  boolean isClaimed() {
    return state == State.CLAIMED;
  }

  /// Nobody can claim it any more. False if somebody did.
  boolean shut() {
    while (true) {
      State seen = state;
      if (seen == State.CLAIMED) {
        return false;
      }
      if (seen == State.OVER || STATE.compareAndSet(this, seen, State.OVER)) {
        return true;
      }
    }
  }

  void withdraw() {
    if (enlisted) {
      enlisted = false;
      source().withdraw(this);
    }
  }

  /// What the source still delivers goes back to it. The seat is not used again.
  void abandon() {
    arrival = arrival.abandon();
  }

  /// Gives back what arrived, unless it was taken and may be.
  void surrender(boolean mayBeTaken) {
    if (hasArrived() && !(arrival == Arrival.TAKEN && mayBeTaken)) {
      source().surrender(this, value, error);
    }
  }

  /// Ready for the next wait.
  void clear() {
    state = State.OVER;
    decider = this;
    source = null;
    note = null;
    place = null;
    enlisted = false;
    arrival = arrival.clear();
    value = null;
    error = null;
  }

  // ---- what arrived

  public boolean hasArrived() {
    return arrival.isThere();
  }

  /// Which of the wait's outcomes it was, in the order they arrived.
  public int rank() {
    return rank;
  }

  /// What arrived is the waiting coroutine's.
  public void take() {
    arrival = arrival.take();
  }

  public @Nullable Object value() {
    return value;
  }

  public @Nullable Throwable error() {
    return error;
  }

  /// What was awaited.
  public Selectable<@Nullable Object> source() {
    if (source == null) {
      throw new AssertionError("a seat that is not in use");
    }
    return source;
  }
}
