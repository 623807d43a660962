// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import dev.couv.strand.LoopView;
import dev.couv.strand.SpawnSite;
import dev.couv.strand.Strand;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Something done in a coroutine of a loop, on behalf of another thread that waits for it, but not for ever.
final class Visit {
  /// A loop that has not come to it by then is busy.
  private static final long PATIENCE_MILLIS = 1000;

  /// One that has begun gets on as its other coroutines let it.
  private static final long LONGEST_SECONDS = 20;

  /// What is done there; it is told who it is itself.
  interface Errand<T> {
    T run(Strand itself) throws Exception;
  }

  private Visit() {}

  /// What it returns; null if the loop has not come to it in time, does not run, or ends.
  static <T> @Nullable T pay(Watch.Known loop, Errand<T> errand) throws InterruptedException {
    LoopView host = loop.host();
    CountDownLatch begun = new CountDownLatch(1);
    Callable<T> body =
        () -> {
          begun.countDown();
          Strand itself = Strand.currentOrNull();
          if (itself == null) {
            throw new AssertionError("it runs in a coroutine");
          }
          loop.sampler().lookBegins();
          try {
            return errand.run(itself);
          } finally {
            loop.sampler().lookRests();
          }
        };
    FutureTask<T> task = new FutureTask<>(body);
    SpawnSite site = SpawnSite.of(body);
    if (!host.scheduler().isRunning()
        || !host.scheduler()
            .events()
            .post(
                () -> {
                  if (!task.isCancelled()) {
                    host.begin("couv-inspect", site, () -> run(task));
                  }
                })) {
      return null;
    }
    try {
      if (!begun.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
        task.cancel(false);
        return null;
      }
      return task.get(LONGEST_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      return null;
    } catch (ExecutionException failed) {
      return null; // the loop ends, and cancels it
    }
  }

  private static @Nullable Object run(FutureTask<?> task) {
    task.run();
    return null;
  }
}
