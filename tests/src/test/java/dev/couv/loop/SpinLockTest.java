// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// The lock of channels, of which nobody may be kept out for long.
class SpinLockTest {
  private final SpinLock lock = new SpinLock();
  private long taken;

  @Test
  void oneHasItAtATime() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(Thread.ofPlatform().start(() -> take(2_000)));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertEquals(8_000, taken);
  }

  /// Counted, not timed: whoever takes it again and again does so only so often while another waits,
  /// however long the system keeps that one off its processor. Some ten million times a second it could.
  @Test
  void whoTakesItAgainAndAgainLetsOneWhoWaitsGoFirst() throws Exception {
    int rounds = 20;
    long overtaken = 0;
    long nanos = 0;
    for (int round = 0; round < rounds; round++) {
      AtomicBoolean served = new AtomicBoolean();
      lock.lock();
      Thread waiting =
          Thread.ofPlatform()
              .start(
                  () -> {
                    lock.lock();
                    served.set(true);
                    lock.unlock();
                  });
      while (!lock.isAwaited()) {
        Thread.onSpinWait();
      }
      long begin = System.nanoTime();
      lock.unlock();
      while (!served.get()) {
        lock.lock();
        overtaken++;
        lock.unlock();
      }
      nanos += System.nanoTime() - begin;
      waiting.join();
    }

    long most = rounds * 10 + nanos / 5_000;
    assertTrue(overtaken <= most, overtaken + " times in " + nanos / 1000 + " µs");
  }

  private void take(int times) {
    for (int i = 0; i < times; i++) {
      lock.lock();
      taken++;
      lock.unlock();
    }
  }
}
