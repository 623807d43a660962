// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import org.jspecify.annotations.Nullable;

/// One step of a worker, awaited by a coroutine.
final class WorkerStep<I extends @Nullable Object, O extends @Nullable Object>
    implements Operation {
  private final WorkerRun<I, O> run;
  private final I input;
  private final EventLoop loop;

  /// Null if nobody waits any more. Written on the loop only.
  private volatile @Nullable Waiter waiter;

  // Written by the body's thread before it posts, read by the loop after.
  private @Nullable O output;
  private @Nullable Throwable failure;

  WorkerStep(WorkerRun<I, O> run, I input, EventLoop loop) {
    this.run = run;
    this.input = input;
    this.loop = loop;
  }

  @Override
  public boolean start(Waiter newWaiter) {
    waiter = newWaiter;
    loop.outsideWorkStarted();
    boolean begun = false;
    try {
      run.begin(this);
      begun = true;
    } finally {
      if (!begun) {
        cancel();
      }
    }
    return false;
  }

  I input() {
    return input;
  }

  /// It is over. On the body's thread.
  void end(@Nullable O newOutput, @Nullable Throwable newFailure) {
    output = newOutput;
    failure = newFailure;
    if (waiter != null) {
      loop.post(this::told); // a closed loop has told its coroutines already
    }
  }

  private void told() {
    Waiter woken = waiter;
    waiter = null;
    if (woken != null) {
      loop.outsideWorkEnded();
      woken.completed();
    }
  }

  @Override
  public void cancel() {
    waiter = null;
    loop.outsideWorkEnded();
  }

  @Override
  public void surrender() {}

  @SuppressWarnings("NullAway") // null only where O allows it
  O output() throws Exception {
    return switch (failure) {
      case null -> output;
      case Exception exception -> throw exception;
      case Error error -> throw error;
      default -> throw new AssertionError(failure);
    };
  }

  @Override
  public String toString() {
    return "a step of a worker";
  }
}
