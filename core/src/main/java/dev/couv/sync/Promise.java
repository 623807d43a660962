// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.check.TransferCheck;
import dev.couv.coro.Await;
import dev.couv.coro.Awaitable;
import dev.couv.coro.Outcome;
import dev.couv.loop.FutureEnd;
import dev.couv.loop.Wording;
import dev.couv.strand.Sources;
import dev.couv.strand.Suspension;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
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
public final class Promise<T extends @Nullable Object> implements Awaitable<T> {
  static {
    Sources.show(Promise.class, promise -> promise.pledge);
  }

  /// Makes one value of another. Where it runs in a coroutine it may wait.
  @FunctionalInterface
  public interface Step<A extends @Nullable Object, B extends @Nullable Object> {
    /// Makes it.
    B apply(A value) throws Exception;
  }

  private final Pledge<T> pledge;
  private final @Nullable Runnable whenCancelled;

  /// One that is not done.
  public Promise() {
    this(false, null, null);
  }

  private Promise(
      boolean shared, @Nullable Runnable whenCancelled, @Nullable Supplier<String> origin) {
    this.pledge = new Pledge<>(this, shared, origin);
    this.whenCancelled = whenCancelled;
  }

  /// One that another loop or thread will complete. If somebody cancels it, that is told on the thread
  /// of whoever did.
  public static <T extends @Nullable Object> Promise<T> outside(Runnable whenCancelled) {
    return new Promise<>(true, Objects.requireNonNull(whenCancelled, "whenCancelled"), null);
  }

  /// One that another loop or thread will complete, and that knows where what breaks it comes from: `origin` is
  /// asked for what is told of a failure that nobody has looked at, "it is that of …, asked for at …".
  public static <T extends @Nullable Object> Promise<T> outside(
      Runnable whenCancelled, Supplier<String> origin) {
    Objects.requireNonNull(whenCancelled, "whenCancelled");
    return new Promise<>(true, whenCancelled, Objects.requireNonNull(origin, "origin"));
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
    Promise<T> promise = new Promise<>(true, null, null);
    if (stage instanceof CompletableFuture<T> future) {
      FutureEnd.Listener listener = promise.new Following();
      promise.pledge.letGo(() -> FutureEnd.leave(listener));
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
      fail(FutureEnd.bare(thrown));
    }
  }

  // ---- the end

  /// Keeps it: whoever awaits it goes on with the value. False if it was done before, and then nothing
  /// changes. Any thread.
  public boolean complete(T value) {
    return pledge.settle(Outcome.value(value));
  }

  /// Breaks it: whoever awaits it is thrown the cause. False if it was done before, and then nothing
  /// changes. Any thread.
  public boolean fail(Throwable cause) {
    return pledge.settle(Pledge.broken(cause));
  }

  /// Breaks it with a `CancellationException`, which is never reported. False if it was done before, and then
  /// nothing changes. Any thread.
  public boolean cancel() {
    if (isDone()) {
      return false; // before an exception is made that nobody will see
    }
    boolean first =
        pledge.settle(Outcome.failure(new CancellationException("the promise was cancelled")));
    if (first && whenCancelled != null) {
      whenCancelled.run();
    }
    return first;
  }

  // ---- looking

  /// Whether it was completed, or failed. Any thread.
  public boolean isDone() {
    return pledge.outcome() != null;
  }

  /// Waits for the value, or throws what it failed with. A plain thread blocks. Any number may wait, any
  /// time later.
  @Override
  public T await() throws Exception {
    T value = Suspension.isInCoroutine() ? Suspension.await(pledge) : block();
    if (value != null && TransferCheck.isChecked() && TransferCheck.isForeign(value)) {
      throw TransferCheck.refused(value);
    }
    return value;
  }

  private T block() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    Continuation<T, ?> waiting = Continuation.anywhere(settled -> done.countDown());
    if (pledge.join(waiting) == null) {
      try {
        done.await();
      } catch (InterruptedException interrupted) {
        pledge.leave(waiting);
        throw interrupted;
      }
    }
    Outcome<T> settled = pledge.outcome();
    if (settled == null) {
      throw new AssertionError("woken before it was done");
    }
    return settled.get();
  }

  /// A failure of it is not reported, even if nobody looks at it; returns itself.
  public Promise<T> ignore() {
    pledge.observe(1);
    return this;
  }

  // ---- deriving

  /// What the function makes of its value. A failure passes, also that of the function.
  public <U extends @Nullable Object> Promise<U> map(Step<? super T, ? extends U> function) {
    Objects.requireNonNull(function, "function");
    return then(
        settled ->
            switch (settled) {
              case Outcome.Value<T>(var value) -> Outcome.value(function.apply(value));
              case Outcome.Failure<T>(var cause) -> Outcome.failure(cause);
            });
  }

  /// Its value or, if it failed, what the function makes of that.
  public Promise<T> recover(Step<? super Throwable, ? extends T> function) {
    Objects.requireNonNull(function, "function");
    return then(
        settled ->
            switch (settled) {
              case Outcome.Value<T> kept -> kept;
              case Outcome.Failure<T>(var cause) -> Outcome.value(function.apply(cause));
            });
  }

  /// Tells the handler when it is done: the value, or the failure. What is returned is done after that,
  /// in the same way; if the handler throws, it fails with that, and the first failure is its cause.
  public Promise<T> onEnd(BiConsumer<? super @Nullable T, ? super @Nullable Throwable> handler) {
    Objects.requireNonNull(handler, "handler");
    Promise<T> derived = derived();
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
          derived.pledge.observe(1); // the handler has seen it
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

  /// A future for ordinary Java code that ends as the promise does. Cancelling the future does not touch the promise.
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
    Outcome<T> settled = pledge.join(told);
    if (settled == null) {
      var _ = future.whenComplete((value, thrown) -> pledge.leave(told));
    } else {
      Continuation.tell(List.of(told), settled);
    }
    return future;
  }

  private <U extends @Nullable Object> Promise<U> derived() {
    return new Promise<>(pledge.isShared(), null, null);
  }

  private <U extends @Nullable Object> Promise<U> then(Continuation.Step<T, U> step) {
    Promise<U> derived = derived();
    then(derived, step);
    return derived;
  }

  private <U extends @Nullable Object> void then(Promise<U> derived, Continuation.Step<T, U> step) {
    Continuation<T, U> continuation = Continuation.here(derived.pledge, step);
    derived.pledge.letGo(() -> pledge.leave(continuation));
    pledge.then(continuation);
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

  /// Which of the promises are not done yet, in their order. Any thread.
  @SafeVarargs
  @SuppressWarnings("varargs") // read only
  public static <P extends Promise<?>> List<P> pending(P... promises) {
    return Arrays.stream(promises).filter(promise -> !promise.isDone()).toList();
  }

  /// Which of the promises are done, in their order. Any thread.
  @SafeVarargs
  @SuppressWarnings("varargs") // read only
  public static <P extends Promise<?>> List<P> ready(P... promises) {
    return Arrays.stream(promises).filter(Promise::isDone).toList();
  }

  private PromiseEnd<T> end() {
    return new PromiseEnd<>(this, pledge);
  }

  @Override
  public String toString() {
    return switch (pledge.outcome()) {
      case null -> "a promise";
      case Outcome.Value<T>(var value) ->
          "a promise kept: " + (value == this ? "itself" : Wording.of(value));
      case Outcome.Failure<T>(var cause) -> "a broken promise: " + Wording.of(cause);
    };
  }
}
