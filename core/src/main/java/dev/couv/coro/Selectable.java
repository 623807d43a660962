// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import org.jspecify.annotations.Nullable;

/// Something that can be awaited together with others: what [Await] and the wakers of coroutines ask
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
public interface Selectable<T extends @Nullable Object> extends Awaitable<T> {
  /// The outcome if there is one now, which is thereby taken; else null. Where outcomes are given away,
  /// as a channel does, this may claim the seat of somebody who waits at the other end. Must not
  /// suspend.
  @Nullable Outcome<T> poll();

  /// The same for that seat, in which the source may [note][Seat#note(Object)] what it needs if the
  /// outcome is surrendered.
  default @Nullable Outcome<T> poll(Seat<T> seat) {
    return poll();
  }

  /// Somebody wants to be told. May run code that arms the source, and may find the outcome there:
  /// then it offers it to the seat.
  void enlist(Seat<T> seat);

  /// No longer. Called once for every seat that was enlisted, also for one that was told. May run code
  /// that disarms the source.
  void withdraw(Seat<T> seat);

  /// What this source gave, by [#poll] or to the seat, was not taken: its coroutine was cancelled or
  /// resumed, or another member of the wait has failed. What can be lost goes to the oldest other
  /// waiter, or is kept for the next. Any thread; must not run user code.
  default void surrender(Seat<T> seat, Outcome<T> outcome) {}

  /// Waits for the outcome.
  @Override
  default T await() throws Exception {
    return Waker.await(this);
  }
}
