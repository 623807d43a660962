// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.Patience;
import dev.couv.coro.Action;
import dev.couv.coro.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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

  @Override
  public void close() {
    join();
  }

  /// Waits for all so far. Where one has failed, the others may wait for it for ever, so they are not
  /// waited for much longer.
  void join() {
    long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(240);
    long shorter = TimeUnit.SECONDS.toNanos(20);
    for (FutureTask<?> run : runs) {
      while (!run.isDone()) {
        long now = System.nanoTime();
        if (failure() != null && patience - now > shorter) {
          patience = now + shorter;
        }
        if (now - patience > 0) {
          throw new AssertionError("not all of them end", failure());
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
    Patience.until(() -> threads.stream().noneMatch(Thread::isAlive));
    if (failure() != null) {
      throw new AssertionError(failure());
    }
  }

  /// What the first that failed so far has failed with.
  private Throwable failure() {
    return runs.stream()
        .filter(run -> run.state() == Future.State.FAILED)
        .map(Future::exceptionNow)
        .findFirst()
        .orElse(null);
  }
}
