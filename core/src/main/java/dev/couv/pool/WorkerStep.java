// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.loop.EventLoop;
import dev.couv.loop.OutsideWork;
import org.jspecify.annotations.Nullable;

/// One step of a worker, awaited by a coroutine.
final class WorkerStep<I extends @Nullable Object, O extends @Nullable Object>
    extends OutsideWork<O> {
  private final WorkerRun<I, O> run;
  final I input;

  WorkerStep(WorkerRun<I, O> run, I input, EventLoop loop) {
    super(loop);
    this.run = run;
    this.input = input;
  }

  @Override
  protected void begin() {
    run.begin(this);
  }

  @Override
  public String toString() {
    return "a step of a worker";
  }
}
