// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Line;
import org.jspecify.annotations.Nullable;

/// Somebody at one end of a channel: what it gives, what it got, and how it is told.
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
abstract class Party<T> extends Line.Member {
  enum State {
    APART,
    WAITING,
    MET,
    REFUSED,
    LEFT
  }

  // Immutable.
  final Chan<T> via;
  final Endpoint endpoint;
  final @Nullable T gift;

  State state = State.APART;
  @Nullable T got;

  /// The how-manieth value of the channel that is: where it belongs if it is given back.
  long serial;

  Party(Chan<T> via, Endpoint endpoint, @Nullable T gift) {
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
  abstract void tell(@Nullable EventLoop here);

  /// How it waits is counted with its loop: by somebody outside who may come, or not any more. On the
  /// loop's thread; under the lock.
  void recount() {}

  /// What it got, or why it got nothing.
  @Nullable T result() {
    return switch (state) {
      case MET -> got;
      case REFUSED -> throw via.passage().closedError(via);
      case APART, WAITING, LEFT -> throw new AssertionError(this + " is " + state);
    };
  }
}
