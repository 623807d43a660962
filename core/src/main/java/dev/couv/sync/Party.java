// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.EventLoop;
import dev.couv.loop.OutsideWait;
import dev.couv.loop.TimerEntry;
import dev.couv.loop.Transition;
import org.jspecify.annotations.Nullable;

/// Somebody at one end of a channel: what it gives, what it got, and how it is told. By itself it is one that
/// never waits.
///
/// ```
///                 meets at once
///        ┌──────────────────────────────▶ MET ──▶ LEFT: it was resumed and hands on what it got
///   APART ── joins the line ──▶ WAITING ──┤
///        │                        │  │    └ a partner came
///        │  is closed             │  └──▶ LEFT: cancelled, resumed, or lost to another member of a select
///        └────────────────────────┴─────▶ REFUSED
/// ```
///
/// Everything here is guarded by the channel's lock until the state is final; then it belongs to whoever is
/// told.
class Party<T> extends OutsideWait {
  @CheckReturnValue
  enum State {
    APART,
    WAITING,
    MET,
    REFUSED,
    LEFT;

    State join() {
      return Transition.require(this, this == APART, "join", WAITING);
    }

    State meet() {
      return Transition.require(this, this == APART || this == WAITING, "meet", MET);
    }

    State refuse() {
      return Transition.require(this, this == APART || this == WAITING, "refuse", REFUSED);
    }

    /// Also a second time: it has left by itself, and then its loop was closed before it could be told how its wait ended.
    State leave() {
      return Transition.require(this, this != APART, "leave", LEFT);
    }
  }

  // Immutable.
  final Access via;
  final Endpoint endpoint;
  final @Nullable T gift;

  State state = State.APART;
  @Nullable T got;

  /// The how-manieth value of the channel that is: where it belongs if it is given back.
  long serial;

  /// Runs out when nobody came to the other end for too long. Loop thread.
  private @Nullable TimerEntry patience;

  Party(Access via, Endpoint endpoint, @Nullable T gift, @Nullable EventLoop loop) {
    super(loop);
    this.via = via;
    this.endpoint = endpoint;
    this.gift = gift;
  }

  /// A partner is there: false if it is lost to somebody else. Under the lock.
  boolean claim() {
    return true;
  }

  /// Whether it will leave, and has only not come to it: nobody can claim it any more. Under the lock.
  boolean isLost() {
    return false;
  }

  /// The state is final. Not under the lock, on any thread; `here` is the loop whose turn the caller
  /// has, if any.
  void tell(@Nullable EventLoop here) {
    throw new AssertionError("it never waits");
  }

  /// It does not wait any more, and does not want what it was given meanwhile. On the thread that waited.
  void giveUp() {
    throw new AssertionError("it never waits");
  }

  /// It meets the other, and gets what that one gives. Under the lock.
  final void meets(@Nullable T gets, long number) {
    got = gets;
    serial = number;
    state = state.meet();
  }

  /// It waits for so long at most, unless somebody comes to the other end. Loop thread.
  final void limit(TimerEntry newPatience, long nanos) {
    patience = newPatience;
    loop().timers().add(newPatience, loop().clock() + nanos);
  }

  @Override
  protected final void ended() {
    if (patience != null) {
      loop().timers().remove(patience);
      patience = null;
    }
  }

  @Override
  public String toString() {
    return words(via, endpoint);
  }

  /// What is awaited at that end.
  static String words(Access via, Endpoint endpoint) {
    return switch (endpoint) {
      case IN -> "a value from " + via;
      case OUT -> "a receiver of " + via;
      case ANY -> "somebody at " + via;
    };
  }
}
