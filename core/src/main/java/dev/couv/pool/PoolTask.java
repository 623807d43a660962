// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.coro.Body;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.sync.Promise;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// One task of a pool: what is to be run, who waits for it, and from when on it runs, where.
final class PoolTask<T extends @Nullable Object> {
  /// Where a task came from; part of what its failure shows.
  private static final class Submitted extends Exception {
    private static final long serialVersionUID = 1L;

    Submitted() {
      super("the task was submitted by " + Thread.currentThread().getName());
    }
  }

  private final LoopPool pool;
  private final Body<T> body;
  private final Submitted submitted = new Submitted();
  private final Promise<T> promise;

  /// The coroutine that runs it, and its loop; written by that loop, read by anybody.
  private volatile @Nullable Coroutine<?> coroutine;

  private volatile @Nullable Loop loop;

  PoolTask(LoopPool pool, Body<T> body) {
    this.pool = pool;
    this.body = body;
    this.promise = Promise.outside(this::cancel);
  }

  Promise<T> promise() {
    return promise;
  }

  /// Runs in a coroutine of its own. On the loop that took it.
  void start(Loop taker) {
    if (promise.isDone()) {
      pool.ended(this); // cancelled before it began
      return;
    }
    loop = taker;
    coroutine = Coroutine.spawn(this::run).named("task of " + pool);
    if (promise.isDone()) {
      cancel(); // between the two
    }
  }

  private void run() {
    try {
      promise.complete(body.run());
    } catch (Cancelled unwinding) {
      fail(unwinding);
      throw unwinding;
    } catch (Throwable thrown) {
      fail(thrown);
    } finally {
      pool.ended(this);
    }
  }

  private void fail(Throwable thrown) {
    thrown.addSuppressed(submitted);
    promise.fail(thrown);
  }

  /// Stops it at its next await, if it runs. Any thread.
  void cancel() {
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
    promise.fail(new CancellationException(why));
    pool.ended(this);
  }

  /// Where it is in its life; null if nobody has taken it.
  @Nullable Coroutine<?> coroutine() {
    return coroutine;
  }
}
