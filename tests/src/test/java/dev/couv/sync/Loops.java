// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Action;
import dev.couv.coro.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/// Programs that run at the same time, each on a loop and a thread of its own; plain threads too. The
/// end of the block waits for all, and throws what failed.
final class Loops implements AutoCloseable {
  private final List<FutureTask<?>> runs = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  Thread loop(Action main) {
    return thread(() -> Loop.run(main));
  }

  Thread thread(Action main) {
    FutureTask<Void> run =
        new FutureTask<>(
            () -> {
              main.run();
              return null;
            });
    runs.add(run);
    Thread thread = Thread.ofPlatform().start(run);
    threads.add(thread);
    return thread;
  }

  /// Returns when something holds that another thread brings about.
  static void until(BooleanSupplier holds) {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - limit > 0) {
        throw new AssertionError("it did not come to that");
      }
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    join();
  }

  /// Waits for all so far.
  void join() {
    AssertionError failure = null;
    for (FutureTask<?> run : runs) {
      try {
        run.get(240, TimeUnit.SECONDS);
      } catch (ExecutionException failed) {
        failure = new AssertionError(failed.getCause());
      } catch (InterruptedException | TimeoutException stuck) {
        throw new AssertionError(stuck);
      }
    }
    Loops.until(() -> threads.stream().noneMatch(Thread::isAlive));
    if (failure != null) {
      throw failure;
    }
  }
}
