// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import org.jspecify.annotations.Nullable;

/// Something that can be awaited together with others: what the wakers of coroutines ask
/// of a coroutine, an event, a promise, one end of a channel. Users await it; this interface is for
/// those who make such things.
///
/// ## How a wait goes
///
/// The waiting coroutine asks each source with [#poll]. If none has an outcome, it enlists a [Seat]
/// with each, asks each once more, and suspends. A source that then has an outcome
/// [claims][Seat#claim] the seat and, if it won, delivers. Whatever came of the wait, the coroutine
/// withdraws every seat it has enlisted before it goes on.
///
/// So a source need not look again when a seat is enlisted: the coroutine does. Nothing is lost in
/// between, because a claim that comes before the coroutine sleeps makes it ask again.
///
/// ## Rules for sources
///
/// - [#poll], [#enlist] and [#withdraw] are called by the waiting coroutine. `poll` must not suspend.
/// - Seats are told in the order they came. One that could not be claimed stays where it is, because its
///   coroutine asks again, unless it is [lost][Seat#isLost]: it is about to be withdrawn. One that was
///   claimed is told once, and is nobody's to tell again.
/// - Withdrawing takes no search, however many are enlisted: a hundred thousand may be cancelled at once.
///   A seat can stand in the source's line itself, or know its [place][Seat#place(Object)] there.
/// - Seats are used again: after `withdraw` has returned the source must not claim the seat. A source
///   that is used from several threads therefore claims under the lock that `withdraw` takes. It may
///   deliver under it too: neither runs anybody's code nor waits.
public interface Selectable<T extends @Nullable Object> {
  /// If there is an outcome now, the seat [receives][Seat#receive] it, which is thereby taken; else false. Where
  /// outcomes are given away, as a channel does, this may claim the seat of somebody who waits at the other end. The
  /// source may [note][Seat#note(Object)] in the seat what it needs if the outcome is surrendered. Must not suspend.
  boolean poll(Seat<T> seat);

  /// Somebody wants to be told. May run code that arms the source, and may find the outcome there:
  /// then it offers it to the seat.
  void enlist(Seat<T> seat);

  /// No longer. Called once for every seat that was enlisted, also for one that was told. May run code
  /// that disarms the source.
  void withdraw(Seat<T> seat);

  /// What this source gave, by [#poll] or to the seat, was not taken: its coroutine was cancelled or
  /// resumed, or another member of the wait has failed. What can be lost goes to the oldest other
  /// waiter, or is kept for the next. Any thread; must not run user code.
  default void surrender(Seat<T> seat, @Nullable T value, @Nullable Throwable error) {}

  /// What users know it as, and are told has come first.
  default Object subject() {
    return this;
  }

  /// Whether others than the coroutines of its loop can make it happen: it is bound to no loop.
  default boolean isReachable() {
    return true;
  }
}
