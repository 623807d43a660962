// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.fail;

import dev.couv.coro.Coroutine;
import java.lang.ref.Reference;
import java.util.function.BooleanSupplier;

/// Waits for the collector, in a coroutine.
final class Garbage {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private Garbage() {}

  static void assertCollected(Reference<?> reference) {
    until(() -> reference.refersTo(null), "it is still referred to");
  }

  static void until(BooleanSupplier condition, String otherwise) {
    long limit = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean() && System.nanoTime() - limit < 0) {
      System.gc();
      Coroutine.pause();
    }
    if (!condition.getAsBoolean()) {
      fail(otherwise);
    }
  }
}
