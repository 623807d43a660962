// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.coro.Coroutine;
import dev.couv.strand.Suspension;
import dev.couv.sync.Promise;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Tasks that somebody awaits together: he is woken when all have ended or one has failed, and not by each, because being woken
/// costs as much as a short task; and none of them outlives his wait. Any thread, but for who submits and waits.
final class Batch {
  /// Tasks that have not ended, and one for whoever still adds some.
  private final AtomicInteger left = new AtomicInteger(1);

  private final AtomicReference<@Nullable Promise<?>> failed = new AtomicReference<>();

  /// Whether all have ended well.
  private final Promise<Boolean> over = Promise.outside(() -> {});

  private final Promise<Boolean> ended = Promise.outside(() -> {});

  /// Whether there are no more to come. Of who submits.
  private boolean complete;

  /// One more.
  void add() {
    left.incrementAndGet();
  }

  /// One has ended; its promise may still be about to be kept.
  void ended() {
    if (left.decrementAndGet() == 0) {
      over.complete(true);
      ended.complete(true);
    }
  }

  /// One has failed, as its promise tells.
  void failed(Promise<?> promise) {
    failed.compareAndSet(null, promise);
    over.complete(false);
  }

  /// There are no more to come: waits for their end, or throws the first failure.
  void await() throws Exception {
    complete();
    if (!over.await()) {
      Promise<?> first = failed.get();
      if (first != null) {
        first.await();
      }
    }
  }

  private void complete() {
    if (!complete) {
      complete = true;
      ended();
    }
  }

  /// Waits until all of them have ended, whatever happens to the caller meanwhile: they were told to.
  void awaitEnd() throws Exception {
    complete();
    if (ended.isDone()) {
      return;
    }
    if (Suspension.isInCoroutine()) {
      Coroutine.protect(() -> ended.await());
    } else {
      blockUntilEnd();
    }
  }

  private void blockUntilEnd() throws Exception {
    boolean interrupted = false;
    while (!ended.isDone()) {
      try {
        ended.await();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
