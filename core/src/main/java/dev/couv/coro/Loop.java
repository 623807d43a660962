// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.error.ClosedException;
import dev.couv.loop.PoolThreads;
import dev.couv.loop.StackRoom;
import dev.couv.strand.Ending;
import dev.couv.strand.Outcomes;
import dev.couv.strand.Scheduler;
import dev.couv.strand.SpawnSite;
import dev.couv.strand.Strand;
import dev.couv.strand.Suspension;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// A thread's event loop and the coroutines it runs.
///
/// Most programs need only [#run(Body)]. [#open] is for embedding: the program then runs the loop
/// itself, a step at a time if it likes, always on the same thread.
public final class Loop implements AutoCloseable {
  private final LoopKeeper keeper;
  private final Scheduler scheduler;
  private volatile boolean closed;

  private Loop(LoopOptions options, OnFailure onFailure) {
    keeper = new LoopKeeper(this, options, onFailure);
    scheduler = keeper.scheduler;
  }

  // ---- whole programs

  /// Runs `main` as the first coroutine of a new loop on this thread, and returns when no coroutine
  /// is left: its result, or its exception. A failure that nobody awaits ends the run too: what is
  /// left is cancelled, and the failure thrown. If the loop is [shut down][#shutdown] before `main` has
  /// ended, the result is null.
  ///
  /// In a coroutine it runs `main` in a scope of the current loop instead, so that it composes.
  ///
  /// @throws Deadlock if coroutines are left that nothing can wake; where another thread might, it waits,
  ///     unless it is [strict][LoopOptions#withStrictDeadlocks]
  public static <T extends @Nullable Object> T run(Body<T> main) throws Exception {
    return run(LoopOptions.DEFAULT, main);
  }

  /// Like [#run(Body)], without a result.
  public static void run(Action main) throws Exception {
    run(LoopOptions.DEFAULT, main);
  }

  /// Like [#run(Body)], with options; in a coroutine they must be the defaults.
  public static <T extends @Nullable Object> T run(LoopOptions options, Body<T> main)
      throws Exception {
    return runMain(options, main, main);
  }

  /// Like [#run(LoopOptions, Body)], without a result.
  public static void run(LoopOptions options, Action main) throws Exception {
    runMain(options, Body.of(main), main);
  }

  private static <T extends @Nullable Object> T runMain(
      LoopOptions options, Body<T> main, Object site) throws Exception {
    StackRoom.toOpen();
    Strand current = Strand.currentOrNull();
    if (current != null) {
      if (!options.equals(LoopOptions.DEFAULT)) {
        throw new IllegalArgumentException(
            "a run inside a coroutine takes the options of its loop");
      }
      return runNested(current, main, site);
    }
    if (Thread.currentThread().isVirtual()) {
      return runElsewhere(options, main, site);
    }
    try (Loop loop = new Loop(options, OnFailure.CANCEL_AND_REPORT)) {
      return new MainRun<>(loop.keeper, options, main, site).run();
    }
  }

  @SuppressWarnings("try") // closing waits, and throws what failed, an interruption included
  private static <T extends @Nullable Object> T runNested(Strand current, Body<T> main, Object site)
      throws Exception {
    Block block = Block.beside(current, OnFailure.CANCEL);
    Coroutine<T> first;
    try (Scope _ = Scope.of(block)) {
      first = Coroutine.spawned(block, main, site).named("main");
    }
    return first.await();
  }

  /// A virtual thread cannot carry coroutines: the loop gets a thread of its own.
  private static <T extends @Nullable Object> T runElsewhere(
      LoopOptions options, Body<T> main, Object site) throws Exception {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    SpawnSite place = SpawnSite.of(site);
    Loop loop = new Loop(options, OnFailure.CANCEL_AND_REPORT);
    FutureTask<T> run =
        new FutureTask<>(
            () -> {
              try (loop) {
                return new MainRun<>(loop.keeper, options, main, place).run();
              }
            });
    Thread.ofPlatform().name("couv-loop").start(run);
    try {
      return run.get();
    } catch (InterruptedException interrupted) {
      loop.scheduler.halt();
      awaitEnd(run);
      throw interrupted;
    } catch (ExecutionException failed) {
      throw Outcomes.rethrow(failed.getCause() == null ? failed : failed.getCause());
    }
  }

  /// Whatever comes out of it, and although the caller is interrupted again.
  private static void awaitEnd(FutureTask<?> run) {
    boolean interrupted = false;
    while (!run.isDone()) {
      try {
        run.get();
      } catch (InterruptedException again) {
        interrupted = true;
      } catch (ExecutionException ended) {
        break; // because it was halted, or anyway
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Sets how many threads libuv has for file work and name lookups, in the whole process: 4 unless the
  /// environment's `UV_THREADPOOL_SIZE` says otherwise. Lookups take at most half of them. Any thread.
  ///
  /// @throws IllegalStateException if they have started, by the first file call or lookup
  public static void poolThreads(int count) {
    PoolThreads.set(count);
  }

  // ---- embedding

  /// A loop to embed: bound to the thread that first runs it. A failure that nobody awaits is
  /// logged, and the loop goes on.
  public static Loop open() {
    return open(LoopOptions.DEFAULT);
  }

  /// Like [#open()], with options.
  public static Loop open(LoopOptions options) {
    return new Loop(options, OnFailure.REPORT);
  }

  /// The loop of the calling coroutine. From now on others may have it, and come: what the loop then waits
  /// for is no certain [Deadlock] any more.
  public static Loop current() {
    LoopKeeper keeper = LoopKeeper.of(Strand.current("Loop.current").scheduler());
    keeper.outsiders.mayKnow();
    return keeper.loop;
  }

  /// What it was opened with. Any thread.
  public LoopOptions options() {
    return keeper.options;
  }

  /// Runs the loop on this thread. True if something is still awaited: an operation in flight, a
  /// deadline, work on another thread; or, if it was [halted][#halt], if any coroutine is left that is not
  /// just suspended by a yield.
  public boolean run(Mode mode) {
    StackRoom.toOpen();
    Objects.requireNonNull(mode, "mode");
    checkOpen();
    if (scheduler.isRunning() || Strand.currentOrNull() != null) {
      throw new IllegalStateException(
          "already running: a loop cannot be run inside a coroutine; Loop.run(body) can");
    }
    if (Thread.currentThread().isVirtual()) {
      throw new IllegalStateException("a loop needs a platform thread, this one is virtual");
    }
    scheduler.thread().check();
    return keeper.run(mode);
  }

  /// Makes the run return when the coroutine that runs now, if any, suspends or ends; what is left goes on
  /// in the next. Any thread.
  public void halt() {
    checkOpen();
    if (!scheduler.isRunning()) {
      throw new IllegalStateException("not running");
    }
    scheduler.halt();
  }

  /// Whether a thread runs it now. Any thread.
  public boolean isRunning() {
    return scheduler.isRunning();
  }

  /// Whether it was closed. Any thread.
  public boolean isClosed() {
    return closed;
  }

  // ---- from any thread

  /// A coroutine in the loop's own scope, queued. Any thread.
  public <T extends @Nullable Object> Coroutine<T> spawn(Body<T> body) {
    return begin(new Coroutine<>(keeper.root, body, body));
  }

  /// Like [#spawn(Body)], without a result. Any thread.
  public Coroutine<@Nullable Void> spawn(Action body) {
    return begin(new Coroutine<>(keeper.root, Body.of(body), body));
  }

  /// Runs the task in a coroutine of the loop. Any thread.
  public void post(Runnable task) {
    begin(new Coroutine<>(keeper.root, Body.of(task::run), task)).named("post");
  }

  /// Runs the body in a coroutine of the loop and tells its outcome to ordinary Java code.
  /// Cancelling the future cancels the coroutine. Any thread.
  public <T extends @Nullable Object> CompletableFuture<T> submit(Body<T> body) {
    CompletableFuture<T> future = new CompletableFuture<>();
    Coroutine<T> coroutine = new Coroutine<>(keeper.root, body, body);
    Ending ending = coroutine.strand().ending();
    ending.claim();
    ending.addHandler(ended -> tell(future, ended));
    begin(coroutine.named("submit"));
    CompletableFuture<T> watched =
        future.whenComplete(
            (value, thrown) -> {
              if (future.isCancelled() && !closed) {
                scheduler
                    .events()
                    .post(() -> coroutine.strand().cancel("its future was cancelled"));
              }
            });
    assert watched != future; // only the watching matters: its own outcome repeats the future's
    return future;
  }

  /// Like [#submit(Body)], without a result. Any thread.
  public CompletableFuture<@Nullable Void> submit(Action body) {
    return submit(Body.of(body));
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the result is what the body of type T returned
  private static <T extends @Nullable Object> void tell(CompletableFuture<T> future, Ending ended) {
    Throwable thrown = ended.failure();
    if (thrown == null) {
      future.complete((T) ended.result());
    } else if (thrown instanceof Cancelled) {
      future.cancel(false);
    } else {
      future.completeExceptionally(thrown);
    }
  }

  private <T extends @Nullable Object> Coroutine<T> begin(Coroutine<T> coroutine) {
    checkOpen();
    if (scheduler.isAtHome()) {
      coroutine.strand().begin();
    } else if (!scheduler.events().post(coroutine.strand()::begin)) {
      throw closedError();
    }
    return coroutine;
  }

  /// Await function: runs a blocking call on another thread. Cancelling interrupts it.
  public static <T extends @Nullable Object> T offload(Callable<T> blocking) throws Exception {
    Objects.requireNonNull(blocking, "call");
    return Suspension.offload("Loop.offload", blocking);
  }

  /// Await function: waits until the loop has nothing to do. Then all other coroutines wait, for time, for
  /// what comes from outside, or for each other, and a look at the sockets and at what other threads
  /// have posted brought nothing. It does not wait for time to pass or for other threads to be done. For
  /// tests, which so let everybody else come as far as possible.
  public static void awaitIdle() {
    Strand current = Strand.current("Loop.awaitIdle");
    current.suspending().await(current.scheduler().idleness().awaited());
  }

  // ---- looking inside

  /// Counts of what the loop has in hand. In one of its coroutines or on its thread.
  public LoopStats stats() {
    scheduler.checkInside("the loop");
    return keeper.stats();
  }

  /// Every coroutine: name, status, what it awaits, for how long, where it was spawned. Any thread:
  /// one that is not the loop's waits a moment for the answer.
  public String dump() {
    return scheduler.isAtHome()
        ? Dump.of(keeper.stats(), keeper.root)
        : Dump.from(scheduler, () -> submit(() -> Dump.of(keeper.stats(), keeper.root)));
  }

  @Override
  public String toString() {
    return "a loop of " + scheduler.strands() + " coroutines";
  }

  // ---- the end

  /// Asks the loop to end: every coroutine is cancelled, zombies included, and what is spawned from now
  /// on never begins. They unwind in the run that goes on, which then ends; their `finally` blocks,
  /// protected stretches and end handlers have the grace period for what they still await. After that
  /// nothing is protected any more. Returns at once; asked again, the shorter grace counts. Any thread.
  ///
  /// [#run(Body)] then returns null, unless `main` has ended with a result or an exception of its own.
  ///
  /// @throws IllegalArgumentException if the grace period is negative
  public void shutdown(Duration grace) {
    LoopOptions.checkGrace(grace);
    if (scheduler.isAtHome()) {
      if (!closed) {
        keeper.shutdown.request(grace);
      }
    } else {
      scheduler.events().post(() -> keeper.shutdown.request(grace)); // refused: it has ended
    }
  }

  /// Cancels what is left and lets it unwind, runs the end handlers of the loop's own scope and closes
  /// what that owns, closes every handle and frees all native memory. On the loop's thread, outside of its
  /// coroutines; when that thread has ended, on any platform thread. Does nothing the second time.
  @Override
  public void close() {
    if (closed) {
      return;
    }
    StackRoom.toWait();
    if (scheduler.isRunning()) {
      throw new IllegalStateException("the loop cannot be closed while it runs");
    }
    // What was spawned and the loop has not looked at yet is still in its inbox.
    boolean empty =
        scheduler.strands() == 0 && !scheduler.events().hasPosted() && !keeper.root.end.isOwed();
    if (Strand.currentOrNull() != null && !empty) {
      throw new IllegalStateException(
          "a loop with coroutines or end handlers cannot be closed inside a coroutine of another"
              + " loop: they need a thread to end on. Use Loop.offload");
    }
    scheduler.thread().inherit();
    scheduler.thread().check();
    closed = true;
    try {
      keeper.endAll("the loop was closed");
    } finally {
      scheduler.close();
      keeper.root.closed(); // not before: what was posted meanwhile still joined it
      scheduler.locals().close();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw closedError();
    }
  }

  private static ClosedException closedError() {
    return new ClosedException("the loop is closed");
  }
}
