// SPDX-License-Identifier: Apache-2.0
package dev.couv.bridge;

import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Runs each task as a coroutine of a loop: it may wait as coroutines do. For whoever asks for an [Executor], from any thread.
///
/// What a task throws is logged, and so is a task that never runs because the loop has ended: nobody else hears of it.
public final class LoopExecutor implements Executor {
  private static final System.Logger LOG = System.getLogger("dev.couv.bridge");

  private final Loop loop;

  private LoopExecutor(Loop loop) {
    this.loop = loop;
  }

  /// The executor of that loop, which must be run by somebody for tasks to run.
  public static LoopExecutor of(Loop loop) {
    return new LoopExecutor(Objects.requireNonNull(loop, "loop"));
  }

  /// Has the task run, in its turn. Does not wait.
  ///
  /// @throws RejectedExecutionException if the loop is closed
  @Override
  public void execute(Runnable task) {
    Objects.requireNonNull(task, "task");
    try {
      var _ = loop.submit(task::run).whenComplete((_, failed) -> ended(failed));
    } catch (ClosedException closed) {
      throw new RejectedExecutionException(loop + " is closed", closed);
    }
  }

  private static void ended(@Nullable Throwable failed) {
    if (failed instanceof CancellationException) {
      log("a task was cancelled, or never begun: the loop has ended", failed);
    } else if (failed != null) {
      log("a task has failed", failed);
    }
  }

  /// On a thread of its own: handlers of logs may block.
  static void log(String message, Throwable failed) {
    Thread.ofVirtual().start(() -> LOG.log(Level.ERROR, message, failed));
  }

  @Override
  public String toString() {
    return "executor of " + loop;
  }
}
