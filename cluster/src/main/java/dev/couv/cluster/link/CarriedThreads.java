// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import dev.couv.coro.Loop;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Virtual threads that the loop's own thread carries, one for each task. A task that waits parks,
/// and wakes in the loop's order; it must not call what blocks the thread of the system, such as
/// the lookup of a name. It is no coroutine, and no cancellation or end of the loop reaches it: what
/// is to be written is written.
///
/// Such a thread is carried by the loop because a coroutine of the loop has started it; on the
/// hand-over engine it would not be.
final class CarriedThreads extends AbstractExecutorService {
  private final Loop loop;

  /// For what comes when the loop takes nothing any more.
  private final Executor otherwise;

  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(NatsThreads.NAME, 1).factory());

  CarriedThreads(Loop loop, Executor otherwise) {
    this.loop = loop;
    this.otherwise = otherwise;
  }

  /// Any thread.
  @Override
  public void execute(Runnable task) {
    if (threads.isShutdown()) {
      throw new RejectedExecutionException("the connection is closed");
    }
    try {
      var _ =
          loop.submit(() -> threads.execute(task))
              .whenComplete((_, refused) -> started(task, refused));
    } catch (IllegalStateException over) {
      otherwise.execute(task);
    }
  }

  /// It was, or the loop has ended before, or the connection has.
  private void started(Runnable task, @Nullable Throwable refused) {
    if (refused == null) {
      return;
    }
    try {
      otherwise.execute(task);
    } catch (RejectedExecutionException over) {
      if (task instanceof Future<?> awaited) {
        awaited.cancel(false); // whoever waits for its end
      }
    }
  }

  @Override
  public void shutdown() {
    threads.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    return threads.shutdownNow();
  }

  @Override
  public boolean isShutdown() {
    return threads.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return threads.isTerminated();
  }

  @Override
  public boolean awaitTermination(long time, TimeUnit unit) throws InterruptedException {
    return threads.awaitTermination(time, unit);
  }
}
