// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Wording;
import dev.couv.strand.Seat;
import dev.couv.strand.Selectable;
import dev.couv.strand.Strand;
import dev.couv.strand.StrandState;
import org.jspecify.annotations.Nullable;

/// An [Awaitable] that can only be awaited, as a member of a wait: a coroutine of its own awaits it. If
/// the wait ends without it, that coroutine is cancelled and has ended before the wait returns, so that
/// the awaitable is free again.
final class Proxy<T extends @Nullable Object> implements Selectable<T> {
  private final Awaitable<T> awaitable;
  private @Nullable Coroutine<T> coroutine;

  /// That of the coroutine, if who waits is protected: then so is what it waits for.
  private @Nullable Block own;

  Proxy(Awaitable<T> awaitable) {
    this.awaitable = awaitable;
  }

  @Override
  public boolean poll(Seat<T> seat) {
    return coroutine != null && coroutine.end().poll(seat);
  }

  @Override
  public void enlist(Seat<T> seat) {
    Body<T> body = awaitable::await;
    Strand current = Strand.current("Await");
    if (current.regions().isProtected(current.regions().innermost(), null)) {
      own = Block.beside(current, OnFailure.KEEP);
    }
    coroutine =
        Coroutine.spawned(own == null ? Block.of(current) : own, body, awaitable)
            .named("await " + Wording.of(awaitable));
    coroutine.strand().ending().claim(); // its failure is never the scope's: nobody spawned it
    coroutine.end().enlist(seat);
  }

  @Override
  public void withdraw(Seat<T> seat) {
    try {
      if (coroutine != null) {
        leave(coroutine, seat);
      }
    } finally {
      if (own != null) {
        own.closed();
      }
    }
  }

  private static void leave(Coroutine<?> left, Seat<?> seat) {
    boolean unheard = left.strand().ending().removeSeat(seat);
    left.cancel("another was first");
    try {
      awaitEnd(left);
    } finally {
      if (unheard) {
        report(left.strand());
      }
    }
  }

  /// It failed just when another was first: as with the losers of a race, only the log hears of it.
  private static void report(Strand unheard) {
    Throwable failure = unheard.ending().failure();
    if (unheard.status() == StrandState.FAILED && failure != null) {
      LoopKeeper.of(unheard.scheduler()).reports.failure(unheard, failure);
    }
  }

  /// Nothing keeps it from that, except that the loop ends.
  private static void awaitEnd(Coroutine<?> left) {
    Strand current = Strand.current("Await");
    Resumed[] resumed = new Resumed[1];
    try {
      current
          .regions()
          .protect(
              () -> {
                while (!left.strand().isEnded()) {
                  try {
                    current.waker().awaitEnd(left.end());
                  } catch (Resumed early) {
                    resumed[0] = early;
                  }
                }
                return left;
              });
    } catch (Exception unexpected) {
      throw new AssertionError(unexpected);
    }
    if (resumed[0] != null) {
      throw resumed[0];
    }
  }

  @Override
  public void surrender(Seat<T> seat, @Nullable T value, @Nullable Throwable error) {
    if (coroutine != null) {
      report(coroutine.strand());
    }
  }

  @Override
  public Object subject() {
    return awaitable;
  }

  @Override
  public boolean isReachable() {
    return false;
  }

  @Override
  public String toString() {
    return Wording.of(awaitable);
  }
}
