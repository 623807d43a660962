// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.sync.Promise;
import java.util.concurrent.atomic.AtomicInteger;

/// Tasks that somebody awaits together: he is woken when all have ended or one has failed, and not by each. Being woken
/// costs as much as a short task. Any thread.
final class Batch {
  /// Tasks that have not ended, and one for whoever still adds some.
  private final AtomicInteger left = new AtomicInteger(1);

  /// Whether all have ended well.
  private final Promise<Boolean> over = Promise.outside(() -> {});

  /// One more.
  void add() {
    left.incrementAndGet();
  }

  /// One has ended; its promise may still be about to be kept.
  void ended() {
    if (left.decrementAndGet() == 0) {
      over.complete(true);
    }
  }

  /// One has failed.
  void failed() {
    over.complete(false);
  }

  /// There are no more to come: waits for their end, or the first failure.
  void await() throws Exception {
    ended();
    over.await();
  }
}
