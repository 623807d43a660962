// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Outcome;
import dev.couv.coro.Resumed;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Line;
import dev.couv.loop.SpinLock;
import dev.couv.loop.StackRoom;
import dev.couv.strand.Seat;
import dev.couv.strand.Selectable;
import dev.couv.strand.Suspension;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a promise is made of: its outcome, once there is one, and all who are to be told of it. Any thread.
final class Pledge<T extends @Nullable Object> implements Selectable<T> {
  // Immutable.
  private final Object promise;
  private final @Nullable EventLoop home = Suspension.loopOrNull();

  /// Whether somebody outside of its loop is known to settle it.
  private final boolean shared;

  private final SpinLock lock = new SpinLock();
  private final Observers observers;

  // Written once, under the lock.
  private volatile @Nullable Outcome<T> outcome;

  // Guarded by the lock.
  private final Line<Awaiting> seats = new Line<>();
  private final Line<Continuation<T, ?>> continuations = new Line<>();

  /// Lets go of what it is derived from, if that will not settle it any more. Set before others know of it.
  private @Nullable Runnable letGo;

  /// `promise` is what users know it as; `origin` tells where what breaks it comes from, if that is not where it is broken.
  Pledge(Object promise, boolean shared, @Nullable Supplier<String> origin) {
    this.promise = promise;
    this.shared = shared || home == null;
    this.observers = new Observers(lock, origin);
  }

  boolean isShared() {
    return shared;
  }

  void letGo(Runnable newLetGo) {
    letGo = newLetGo;
  }

  // ---- the end

  @Nullable Outcome<T> outcome() {
    return outcome;
  }

  /// The outcome of what failed with that.
  static <T extends @Nullable Object> Outcome<T> broken(Throwable cause) {
    Objects.requireNonNull(cause, "why the promise is broken");
    if (cause instanceof Cancelled || cause instanceof Resumed) {
      // It unwound somebody else: to whoever awaits this it would mean that he is cancelled.
      CancellationException told = new CancellationException(cause.getMessage());
      told.initCause(cause);
      return Outcome.failure(told);
    }
    return Outcome.failure(cause);
  }

  /// Gives it the outcome and tells everybody; false if it was done before.
  boolean settle(Outcome<T> settled) {
    List<Continuation<T, ?>> told = settled(settled);
    if (told == null) {
      return false;
    }
    Continuation.tell(told, settled);
    return true;
  }

  /// Gives it the outcome, wakes who awaits it, and returns what else is to be told of it; null if it was
  /// done before.
  @Nullable List<Continuation<T, ?>> settled(Outcome<T> settled) {
    StackRoom.toWait(); // for all of it: what is settled must be told
    EventLoop here = Suspension.loopOrNull();
    List<Awaiting> claimed;
    List<Continuation<T, ?>> told;
    Runnable origin;
    try (var _ = lock.hold()) {
      if (outcome != null) {
        return null;
      }
      outcome = settled;
      told = continuations.drain();
      // The others are about to leave, and stay until they do.
      claimed = seats.takeIf(Awaiting::claim);
      origin = letGo;
      letGo = null;
    }
    if (origin != null) {
      origin.run();
    }
    // Before they are told, so that one who gives it back finds himself counted.
    int observing = told.size();
    for (Awaiting awaiting : claimed) {
      observing += awaiting.observes() ? 1 : 0;
    }
    observe(observing);
    for (Awaiting awaiting : claimed) {
      awaiting.deliver(settled);
      awaiting.waitEnded(here);
    }
    return told;
  }

  // ---- who is told

  /// Is told when it is done. If it is, that is now.
  void then(Continuation<T, ?> continuation) {
    Outcome<T> settled = join(continuation);
    if (settled != null) {
      Continuation.tell(List.of(continuation), settled);
    }
  }

  /// Will be told when it is done; if it is, it is not told, and this is the outcome.
  @Nullable Outcome<T> join(Continuation<T, ?> continuation) {
    try (var _ = lock.hold()) {
      if (outcome == null) {
        continuations.add(continuation);
        return null;
      }
    }
    observe(1);
    return outcome;
  }

  void leave(Continuation<T, ?> continuation) {
    try (var _ = lock.hold()) {
      continuations.remove(continuation);
    }
  }

  /// Somebody waits, in a coroutine of its loop. The seat was given by the promise.
  void enlist(Seat<?> seat, Awaiting awaiting) {
    awaiting.waitStarted(shared || !awaiting.isOf(home));
    seat.place(awaiting);
    try (var _ = lock.hold()) {
      seats.add(awaiting);
    }
  }

  // ---- as a member of a wait

  @Override
  public boolean poll(Seat<T> seat) {
    Outcome<T> settled = outcome;
    if (settled == null) {
      return false;
    }
    observe(1);
    seat.receive(settled.valueOrNull(), settled.failureOrNull());
    return true;
  }

  @Override
  public void enlist(Seat<T> seat) {
    enlist(seat, new Awaiting(seat, null, Suspension.loop("Promise.await")));
  }

  @Override
  public void withdraw(Seat<T> seat) {
    leave(seat);
  }

  /// A failure that was told and not looked at is nobody's again.
  @Override
  public void surrender(Seat<T> seat, @Nullable T value, @Nullable Throwable error) {
    observe(-1);
  }

  @Override
  public Object subject() {
    return promise;
  }

  @Override
  public String toString() {
    return promise.toString();
  }

  void leave(Seat<?> seat) {
    if (seat.place() instanceof Awaiting awaiting && left(awaiting)) {
      awaiting.waitEnded();
    }
  }

  private boolean left(Awaiting awaiting) {
    try (var _ = lock.hold()) {
      return seats.remove(awaiting);
    }
  }

  /// So many more, or less, look at the outcome, or will.
  void observe(int more) {
    observers.add(this, more, reportable(outcome));
  }

  /// The failure that somebody should look at, if it is one.
  private static @Nullable Throwable reportable(@Nullable Outcome<?> settled) {
    return settled instanceof Outcome.Failure<?>(var cause)
            && !(cause instanceof CancellationException)
        ? cause
        : null;
  }
}
