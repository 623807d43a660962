// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.coro.Body;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.loop.Line;
import dev.couv.strand.SpawnSite;
import dev.couv.strand.Suspension;
import dev.couv.sync.Promise;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// One task of a pool: what is to be run, who waits for it, and from when on it runs, where.
final class PoolTask<T extends @Nullable Object> extends Line.Member {
  /// Where a task came from; part of what its failure shows. Made when it fails, of the place where its lambda was first used: a stack is
  /// walked for longer than a task is submitted.
  private static final class Submitted extends Exception {
    private static final long serialVersionUID = 1L;

    Submitted(String submitter, SpawnSite site) {
      super("the task was submitted by " + submitter + "; its body was first used here");
      setStackTrace(site.trace());
    }
  }

  /// One and the same failure may come out of any number of tasks.
  private static final int MOST_SUPPRESSED = 16;

  /// The how-manieth of its pool it is. Guarded by the lock of the pool's queue.
  long number;

  private final PoolTasks tasks;
  private final Body<T> body;
  private final SpawnSite site;
  private final String submitter = Thread.currentThread().getName();
  final Promise<T> promise;
  private final @Nullable Batch batch;

  /// The coroutine that runs it, and its loop; written by that loop, read by anybody.
  private volatile @Nullable Coroutine<?> coroutine;

  private volatile @Nullable Loop loop;

  /// `given` is what the user has passed: where that is written the task comes from; `batch` are those that it is awaited with, if it is.
  PoolTask(PoolTasks tasks, Body<T> body, Object given, @Nullable Batch batch) {
    this.tasks = tasks;
    this.body = body;
    this.batch = batch;
    if (batch != null) {
      batch.add();
    }
    this.site = SpawnSite.of(given);
    this.promise =
        Promise.outside(
            this::cancel, () -> "it is that of a task of " + tasks + ", submitted at " + site);
  }

  /// Runs in a coroutine of its own. On the loop that took it.
  void start(Loop taker) {
    if (tasks.isCancelled()) {
      reject("the pool was cancelled");
      return;
    }
    if (promise.isDone()) {
      tasks.ended(this); // cancelled before it began
      return;
    }
    loop = taker;
    coroutine =
        Coroutine.spawn(this::run)
            .named(tasks.taskName())
            .onEnd((nothing, thrown) -> unwound(thrown));
    if (promise.isDone()) {
      cancel(); // between the two
    }
  }

  private void run() throws Exception {
    try {
      T result = body.run();
      tasks.ended(this); // before anybody can ask
      promise.complete(result);
    } catch (Throwable thrown) {
      if (thrown instanceof Cancelled || Suspension.isCancellation(thrown)) {
        throw thrown;
      }
      fail(thrown);
    }
  }

  /// It was cancelled, perhaps before its body began.
  private void unwound(@Nullable Throwable thrown) {
    if (thrown != null) {
      fail(thrown);
    }
  }

  private void fail(Throwable thrown) {
    if (thrown.getSuppressed().length < MOST_SUPPRESSED) {
      thrown.addSuppressed(new Submitted(submitter, site));
    }
    tasks.ended(this);
    broken(thrown);
  }

  private void broken(Throwable thrown) {
    promise.fail(thrown);
    if (batch != null) {
      batch.failed(promise);
    }
  }

  /// It is over, whatever its promise will tell.
  void ended() {
    if (batch != null) {
      batch.ended();
    }
  }

  /// Stops it at its next await, if it runs. Any thread.
  void cancel() {
    tasks.withdrawn(this);
    Coroutine<?> running = coroutine;
    Loop there = loop;
    if (running != null && there != null) {
      try {
        there.post(() -> running.cancel("its promise was cancelled"));
      } catch (ClosedException ended) {
        return; // and so has the task
      }
    }
  }

  /// It will never run.
  void reject(String why) {
    tasks.ended(this);
    broken(new CancellationException(why));
  }

  /// Where it runs, or ran; null if nobody has taken it.
  @Nullable Loop loop() {
    return loop;
  }

  /// Where it is in its life; null if nobody has taken it.
  @Nullable Coroutine<?> coroutine() {
    return coroutine;
  }
}
