// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Await;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Outcome;
import dev.couv.coro.Resumed;
import dev.couv.strand.Seat;
import dev.couv.strand.Selectable;
import dev.couv.strand.Suspension;
import dev.couv.loop.EventLoop;
import dev.couv.loop.FutureEnd;
import dev.couv.loop.Line;
import dev.couv.loop.SpinLock;
import dev.couv.loop.Wording;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A value that will be there later, or the reason why not. Completed once, on any thread; awaited by
/// any number of coroutines of any loop, and by plain threads, which then block.
///
/// ```java
/// var promise = new Promise<Integer>();
/// Coroutine.spawn(() -> promise.complete(7));
/// IO.println(promise.await());
/// ```
///
/// A failure that nobody looks at, by awaiting or by what is derived from the promise, is logged once,
/// with where it came from: when the loop that made the promise ends, or when the promise is garbage.
///
/// What [#map], [#recover] and [#onEnd] are given runs in a coroutine of the loop they are called in, and
/// may wait; if they are called by a plain thread, it runs on the thread that completes the promise. It does
/// not run, and nothing is kept for it, if what they returned is done before: cancelled, for example.
public final class Promise<T extends @Nullable Object> implements Selectable<T> {
  /// Makes one value of another. Where it runs in a coroutine it may wait.
  @FunctionalInterface
  public interface Step<A extends @Nullable Object, B extends @Nullable Object> {
    B apply(A value) throws Exception;
  }

  // Immutable.
  private final @Nullable EventLoop home = Suspension.loopOrNull();
  private final Observers observers = new Observers();

  /// Whether somebody outside of its loop is known to complete it.
  private final boolean shared;

  private final @Nullable Runnable whenCancelled;

  /// Tells where what breaks it comes from, if that is not where it is broken.
  private final @Nullable Supplier<String> origin;

  private final SpinLock lock = new SpinLock();

  // Written once, under the lock.
  private volatile @Nullable Outcome<T> outcome;

  // Guarded by the lock.
  private final Line<Enlisted> seats = new Line<>();
  private final Line<Continuation<T, ?>> continuations = new Line<>();

  /// Lets go of what it is derived from, if that will not settle it any more.
  private @Nullable Runnable letGo;

  public Promise() {
    this(false, null);
  }

  private Promise(boolean shared, @Nullable Runnable whenCancelled) {
    this(shared, whenCancelled, null);
  }

  private Promise(
      boolean shared, @Nullable Runnable whenCancelled, @Nullable Supplier<String> origin) {
    this.shared = shared || home == null;
    this.whenCancelled = whenCancelled;
    this.origin = origin;
  }

  /// One that another loop or thread will complete. If somebody cancels it, that is told on the thread
  /// of whoever did.
  public static <T extends @Nullable Object> Promise<T> outside(Runnable whenCancelled) {
    return new Promise<>(true, Objects.requireNonNull(whenCancelled, "whenCancelled"));
  }

  /// Likewise. `origin` is asked for what is told of a failure that nobody has looked at: "it is that of …,
  /// asked for at …".
  public static <T extends @Nullable Object> Promise<T> outside(
      Runnable whenCancelled, Supplier<String> origin) {
    Objects.requireNonNull(whenCancelled, "whenCancelled");
    return new Promise<>(true, whenCancelled, Objects.requireNonNull(origin, "origin"));
  }

  @Nullable String origin() {
    return origin == null ? null : origin.get();
  }

  /// One that is done.
  public static <T extends @Nullable Object> Promise<T> completed(T value) {
    Promise<T> promise = new Promise<>();
    promise.complete(value);
    return promise;
  }

  /// One that has failed.
  public static <T extends @Nullable Object> Promise<T> failed(Throwable cause) {
    Promise<T> promise = new Promise<>();
    promise.fail(cause);
    return promise;
  }

  /// The outcome of what ordinary Java code promises.
  public static <T extends @Nullable Object> Promise<T> of(CompletionStage<T> stage) {
    Promise<T> promise = new Promise<>(true, null);
    if (stage instanceof CompletableFuture<T> future) {
      FutureEnd.Listener listener = promise.new Following();
      promise.letGo = () -> FutureEnd.leave(listener);
      FutureEnd.listen(future, listener);
    } else {
      stage.whenComplete(promise::follow);
    }
    return promise;
  }

  /// What a future brings that it follows.
  private final class Following extends FutureEnd.Listener {
    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the future is one of T
    protected void ended(@Nullable Object value, @Nullable Throwable thrown) {
      follow((T) value, thrown);
    }
  }

  private void follow(T value, @Nullable Throwable thrown) {
    if (thrown == null) {
      complete(value);
    } else {
      fail(bare(thrown));
    }
  }

  private static Throwable bare(Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
    return cause == null ? thrown : cause;
  }

  // ---- the end

  /// Keeps it: whoever awaits it goes on with the value. False if it was done before, and then nothing
  /// changes. Any thread.
  public boolean complete(T value) {
    return settle(Outcome.value(value));
  }

  /// Breaks it: whoever awaits it is thrown the cause. False if it was done before, and then nothing
  /// changes. Any thread.
  public boolean fail(Throwable cause) {
    return settle(broken(cause));
  }

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

  /// Breaks it with a `CancellationException`, which is never reported. Any thread.
  public boolean cancel() {
    boolean first = settle(Outcome.failure(new CancellationException("the promise was cancelled")));
    if (first && whenCancelled != null) {
      whenCancelled.run();
    }
    return first;
  }

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
    EventLoop here = Suspension.loopOrNull();
    List<Enlisted> claimed = new ArrayList<>(1);
    List<Continuation<T, ?>> told = new ArrayList<>(0);
    Runnable origin;
    lock.lock();
    try {
      if (outcome != null) {
        return null;
      }
      outcome = settled;
      for (Continuation<T, ?> next; (next = continuations.poll()) != null; ) {
        told.add(next);
      }
      claimSeats(claimed);
      origin = letGo;
      letGo = null;
    } finally {
      lock.unlock();
    }
    if (origin != null) {
      origin.run();
    }
    // Before they are told, so that one who gives it back finds himself counted.
    observe(told.size() + (int) claimed.stream().filter(Enlisted::observes).count());
    claimed.forEach(enlisted -> enlisted.deliver(this, settled, here));
    return told;
  }

  /// Those that cannot be claimed are about to leave, and stay until they do.
  private void claimSeats(List<Enlisted> claimed) {
    for (Enlisted next = seats.first(); next != null; ) {
      Enlisted enlisted = next;
      next = seats.next(enlisted);
      if (enlisted.claim()) {
        seats.remove(enlisted);
        claimed.add(enlisted);
      }
    }
  }

  // ---- looking

  /// Whether it was completed, or failed. Any thread.
  public boolean isDone() {
    return outcome != null;
  }

  /// Waits for the value, or throws what it failed with. A plain thread blocks. Any number may wait, any
  /// time later.
  @Override
  public T await() throws Exception {
    T value = Suspension.isInCoroutine() ? Selectable.super.await() : block();
    if (value != null && Transfer.isChecked() && Transfer.isForeign(value)) {
      throw Transfer.refused(value);
    }
    return value;
  }

  private T block() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    Continuation<T, ?> waiting = Continuation.anywhere(settled -> done.countDown());
    if (!join(waiting)) {
      try {
        done.await();
      } catch (InterruptedException interrupted) {
        leave(waiting);
        throw interrupted;
      }
    }
    Outcome<T> settled = outcome;
    if (settled == null) {
      throw new AssertionError("woken before it was done");
    }
    return settled.get();
  }

  /// A failure of it is not reported, even if nobody looks at it; returns itself.
  public Promise<T> ignore() {
    observe(1);
    return this;
  }

  // ---- deriving

  /// What the function makes of its value. A failure passes, also that of the function.
  public <U extends @Nullable Object> Promise<U> map(Step<? super T, ? extends U> function) {
    Objects.requireNonNull(function, "function");
    Promise<U> derived = new Promise<>(shared, null);
    then(
        derived,
        settled ->
            switch (settled) {
              case Outcome.Value<T>(var value) -> Outcome.value(function.apply(value));
              case Outcome.Failure<T>(var cause) -> Outcome.failure(cause);
            });
    return derived;
  }

  /// Its value or, if it failed, what the function makes of that.
  public Promise<T> recover(Step<? super Throwable, ? extends T> function) {
    Objects.requireNonNull(function, "function");
    Promise<T> derived = new Promise<>(shared, null);
    then(
        derived,
        settled ->
            switch (settled) {
              case Outcome.Value<T> kept -> kept;
              case Outcome.Failure<T>(var cause) -> Outcome.value(function.apply(cause));
            });
    return derived;
  }

  /// Tells the handler when it is done: the value, or the failure. What is returned is done after that,
  /// in the same way; if the handler throws, it fails with that, and the first failure is its cause.
  public Promise<T> onEnd(BiConsumer<? super @Nullable T, ? super @Nullable Throwable> handler) {
    Objects.requireNonNull(handler, "handler");
    Promise<T> derived = new Promise<>(shared, null);
    then(
        derived,
        settled -> {
          T value = settled instanceof Outcome.Value<T>(var kept) ? kept : null;
          Throwable cause = settled instanceof Outcome.Failure<T>(var thrown) ? thrown : null;
          try {
            handler.accept(value, cause);
          } catch (Throwable thrown) {
            if (cause != null && thrown != cause) {
              chain(thrown, cause);
            }
            throw thrown;
          }
          derived.observe(1); // the handler has seen it
          return settled;
        });
    return derived;
  }

  private static void chain(Throwable thrown, Throwable first) {
    if (thrown.getCause() == null) {
      try {
        thrown.initCause(first);
        return;
      } catch (IllegalStateException fixed) {
        // It was made with no cause on purpose.
      }
    }
    thrown.addSuppressed(first);
  }

  /// The same for ordinary Java code. Cancelling the future does not touch the promise.
  public CompletableFuture<T> toFuture() {
    CompletableFuture<T> future = new CompletableFuture<>();
    Continuation<T, ?> told =
        Continuation.anywhere(
            settled -> {
              switch (settled) {
                case Outcome.Value<T>(var value) -> future.complete(value);
                case Outcome.Failure<T>(var cause) -> future.completeExceptionally(cause);
              }
            });
    if (!join(told)) {
      var _ = future.whenComplete((value, thrown) -> leave(told));
    } else if (outcome != null) {
      Continuation.tell(List.of(told), outcome);
    }
    return future;
  }

  private <U extends @Nullable Object> void then(Promise<U> derived, Continuation.Step<T, U> step) {
    Continuation<T, U> continuation = Continuation.here(derived, step);
    derived.letGo = () -> leave(continuation);
    if (join(continuation) && outcome != null) {
      Continuation.tell(List.of(continuation), outcome);
    }
  }

  /// Is told when it is done. True if it is: then it is not told.
  private boolean join(Continuation<T, ?> continuation) {
    lock.lock();
    try {
      if (outcome == null) {
        continuations.add(continuation);
        return false;
      }
    } finally {
      lock.unlock();
    }
    observe(1);
    return true;
  }

  private void leave(Continuation<T, ?> continuation) {
    lock.lock();
    try {
      continuations.remove(continuation);
    } finally {
      lock.unlock();
    }
  }

  // ---- several

  /// Waits until one of them is done, and returns that one. Its failure is not thrown: awaiting it
  /// does.
  ///
  /// @throws IllegalArgumentException if there are none
  @SafeVarargs
  @SuppressWarnings({"unchecked", "varargs"}) // each end gives the promise it is the end of
  public static <P extends Promise<?>> P awaitAny(P... promises) throws Exception {
    return (P) Await.any(Arrays.stream(promises).map(Promise::end).toList());
  }

  /// Waits until all of them are done; their values in the order given. The first failure is thrown at
  /// once.
  @SafeVarargs
  @SuppressWarnings("varargs") // read only
  public static <T extends @Nullable Object> List<T> awaitAll(Promise<? extends T>... promises)
      throws Exception {
    return Await.all(Arrays.asList(promises));
  }

  /// Those that are not done. Any thread.
  @SafeVarargs
  @SuppressWarnings("varargs") // read only
  public static <P extends Promise<?>> List<P> pending(P... promises) {
    return Arrays.stream(promises).filter(promise -> !promise.isDone()).toList();
  }

  /// Those that are done. Any thread.
  @SafeVarargs
  @SuppressWarnings("varargs") // read only
  public static <P extends Promise<?>> List<P> ready(P... promises) {
    return Arrays.stream(promises).filter(Promise::isDone).toList();
  }

  private PromiseEnd end() {
    return new PromiseEnd(this);
  }

  // ---- as a member of a wait

  @Override
  public @Nullable Outcome<T> poll() {
    Outcome<T> settled = outcome;
    if (settled != null) {
      observe(1);
    }
    return settled;
  }

  @Override
  public void enlist(Seat<T> seat) {
    enlist(Objects.requireNonNull(seat, "seat"), false);
  }

  /// A seat that is told of the end gets the promise and not its outcome.
  void enlist(Seat<?> seat, boolean ofEnd) {
    EventLoop loop = Suspension.loop("Promise.await");
    Enlisted enlisted = new Enlisted(seat, ofEnd, loop, shared || loop != home);
    enlisted.start();
    seat.place(enlisted);
    lock.lock();
    try {
      seats.add(enlisted);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void withdraw(Seat<T> seat) {
    leave(seat);
  }

  void leave(Seat<?> seat) {
    if (seat.place() instanceof Enlisted enlisted && left(enlisted)) {
      enlisted.end();
    }
  }

  private boolean left(Enlisted enlisted) {
    lock.lock();
    try {
      return seats.remove(enlisted);
    } finally {
      lock.unlock();
    }
  }

  /// A failure that was told and not looked at is nobody's again.
  @Override
  public void surrender(Seat<T> seat, Outcome<T> unseenOutcome) {
    observe(-1);
  }

  private void observe(int more) {
    observers.add(this, more, reportable(outcome));
  }

  /// The failure that somebody should look at, if it is one.
  private static @Nullable Throwable reportable(@Nullable Outcome<?> settled) {
    return settled instanceof Outcome.Failure<?>(var cause)
            && !(cause instanceof CancellationException)
        ? cause
        : null;
  }

  @Override
  public String toString() {
    return switch (outcome) {
      case null -> "a promise";
      case Outcome.Value<T>(var value) ->
          "a promise kept: " + (value == this ? "itself" : Wording.of(value));
      case Outcome.Failure<T>(var cause) -> "a broken promise: " + Wording.of(cause);
    };
  }
}
