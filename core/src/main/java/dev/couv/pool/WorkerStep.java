// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.loop.EventLoop;
import dev.couv.loop.OutsideWork;
import org.jspecify.annotations.Nullable;

/// One step of a worker, awaited by a coroutine.
final class WorkerStep<I extends @Nullable Object, O extends @Nullable Object> extends OutsideWork {
  private final WorkerRun<I, O> run;
  private final I input;

  // Written by the body's thread before it posts, read by the loop after.
  private @Nullable O output;
  private @Nullable Throwable failure;

  WorkerStep(WorkerRun<I, O> run, I input, EventLoop loop) {
    super(loop);
    this.run = run;
    this.input = input;
  }

  @Override
  protected void begin() {
    run.begin(this);
  }

  I input() {
    return input;
  }

  /// It is over. On the body's thread.
  void end(@Nullable O newOutput, @Nullable Throwable newFailure) {
    output = newOutput;
    failure = newFailure;
    ended();
  }

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
