// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// A blocking call on another thread, awaited. A platform thread, because what needs this is what
/// would hold a carrier anyway: file access, native libraries, name services.
///
/// Cancelling interrupts the call and leaves; what it still produces is dropped. Others do the
/// interrupting: it may close the channel that the call uses, which may take long.
final class Offload<T extends @Nullable Object> implements Operation {
  /// Those of the runtime.
  static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("couv-offload-", 1).factory());

  private final EventLoop loop;
  private final ExecutorService threads;
  private final Callable<T> call;
  private final FutureTask<?> running = new FutureTask<>(this::run, null);

  /// Null if nobody waits any more. Written on the loop only.
  private volatile @Nullable Waiter waiter;

  // Written by the other thread before it posts, read by the loop after.
  private @Nullable T result;
  private @Nullable Throwable failure;

  /// On threads of the caller's choice.
  Offload(EventLoop loop, ExecutorService threads, Callable<T> call) {
    this.loop = loop;
    this.threads = threads;
    this.call = call;
  }

  @Override
  public boolean start(Waiter newWaiter) {
    waiter = newWaiter;
    loop.outsideWorkStarted(); // before: the call may be over while this still waits for a lock
    boolean begun = false;
    try {
      threads.execute(running);
      begun = true;
    } finally {
      if (!begun) { // there may be no thread
        leave();
      }
    }
    return false;
  }

  private void run() {
    try {
      result = call.call();
    } catch (Throwable thrown) {
      failure = thrown;
    }
    // A closed loop has told its coroutines already: nobody is left to hear of this. Nor is a loop
    // woken for what was cancelled.
    if (waiter != null) {
      loop.post(this::ended);
    }
  }

  private void ended() {
    Waiter told = waiter;
    if (told != null) {
      leave();
      told.completed();
    }
  }

  @Override
  public void cancel() {
    leave();
    Errands.run(() -> running.cancel(true));
  }

  private void leave() {
    waiter = null;
    loop.outsideWorkEnded();
  }

  @Override
  public void surrender() {}

  @SuppressWarnings("NullAway") // null only where T allows it
  T result() throws Exception {
    if (failure != null) {
      throw Outcomes.rethrow(failure);
    }
    return result;
  }

  @Override
  public String toString() {
    return "a call on another thread";
  }
}
