// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.EventLoop;
import dev.couv.loop.OutsideWork;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// A blocking call on another thread, awaited. A platform thread, because what needs this is what
/// would hold a carrier anyway: file access, native libraries, name services.
///
/// Cancelling interrupts the call and leaves; what it still produces is dropped. Others do the
/// interrupting: it may close the channel that the call uses, which may take long.
final class Offload<T extends @Nullable Object> extends OutsideWork<T> {
  /// Those of the runtime.
  static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("couv-offload-", 1).factory());

  private final Executor threads;
  private final Callable<T> call;
  private final FutureTask<?> running = new FutureTask<>(this::run, null);

  /// On threads of the caller's choice.
  Offload(EventLoop loop, Executor threads, Callable<T> call) {
    super(loop);
    this.threads = threads;
    this.call = call;
  }

  @Override
  protected void begin() {
    threads.execute(running); // there may be no thread
  }

  private void run() {
    if (!isAwaited()) {
      return; // the waiter has left before it began
    }
    T made;
    try {
      made = call.call();
    } catch (Throwable thrown) {
      ended(null, thrown);
      return;
    }
    ended(made, null);
  }

  @Override
  protected void leave() {
    super.leave();
    Errands.run(() -> running.cancel(true));
  }

  @Override
  public String toString() {
    return "a call on another thread";
  }
}
