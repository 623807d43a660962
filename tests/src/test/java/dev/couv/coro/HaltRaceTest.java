// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.time.Time;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HaltRaceTest {
  private static final int RUNS = 300;

  private final Semaphore returned = new Semaphore(0);
  private final Semaphore next = new Semaphore(0);
  private final AtomicBoolean lost = new AtomicBoolean();

  /// A run can be halted from the moment another thread sees it.
  @Test
  void aHaltIsNotLostAsTheRunBegins() throws Exception {
    try (Loop loop = Loop.open()) {
      loop.spawn(() -> Time.sleep(Duration.ofHours(1)));
      Thread halting = Thread.ofPlatform().daemon().start(() -> haltEachRun(loop));

      for (int i = 0; i < RUNS && !lost.get(); i++) {
        assertTrue(loop.run(Mode.LOOP));
        returned.release();
        next.acquire();
      }

      halting.join();
    }

    assertFalse(lost.get(), "a run went on although it was halted");
  }

  private void haltEachRun(Loop loop) {
    for (int i = 0; i < RUNS && !lost.get(); i++) {
      while (!loop.isRunning()) {
        Thread.onSpinWait();
      }
      loop.halt();
      try {
        if (!returned.tryAcquire(60, TimeUnit.SECONDS)) {
          lost.set(true);
          loop.halt();
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      next.release();
    }
  }
}
