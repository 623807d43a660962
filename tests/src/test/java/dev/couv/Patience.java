// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Waiting for what other threads bring about, on whatever thread: it blocks.
public final class Patience {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private Patience() {}

  /// Returns when it holds.
  public static void until(BooleanSupplier holds) {
    long limit = System.nanoTime() + LIMIT_NANOS;
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - limit > 0) {
        throw new AssertionError("it did not come to that");
      }
      Thread.onSpinWait();
    }
  }

  /// Computes until it is open, for ever if need be: nothing can interrupt that.
  public static void spinUntil(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      Thread.onSpinWait();
    }
  }

  /// Blocks until it is open, where an interrupt is a mistake.
  public static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
