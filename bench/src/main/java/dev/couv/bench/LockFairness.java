// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

import dev.couv.loop.Processor;
import dev.couv.loop.SpinLock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// One thread takes the lock of channels now and then, others again and again: how often they overtake it
/// while it waits, and how long it waits.
final class LockFairness {
  private static final int TAKES = 20_000;
  private static final long PAUSE_NANOS = 20_000;
  private static final long LONGEST_NANOS = 5_000_000_000L;

  private final SpinLock lock = new SpinLock();

  /// How often the others had it. Guarded by the lock.
  private long turns;

  private volatile boolean over;

  public static void main(String[] arguments) throws Exception {
    for (int i = 0; i < 10; i++) {
      Processor.pass(); // the first call links it
    }
    for (String hammers : arguments.length == 0 ? new String[] {"1", "2", "4"} : arguments) {
      new LockFairness().measure(Integer.parseInt(hammers));
    }
  }

  private void measure(int hammers) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < hammers; i++) {
      threads.add(Thread.ofPlatform().start(this::hammer));
    }
    long[] overtaken = new long[TAKES];
    long[] waited = new long[TAKES];
    long begin = System.nanoTime();
    int takes = 0;
    while (takes < TAKES && System.nanoTime() - begin < LONGEST_NANOS) {
      long before = System.nanoTime();
      long had = turns; // about: it is only compared
      lock.lock();
      overtaken[takes] = turns - had;
      lock.unlock();
      waited[takes++] = System.nanoTime() - before;
      for (long end = System.nanoTime() + PAUSE_NANOS; System.nanoTime() - end < 0; ) {
        Thread.onSpinWait();
      }
    }
    over = true;
    for (Thread thread : threads) {
      thread.join();
    }
    report(hammers, Arrays.copyOf(overtaken, takes), Arrays.copyOf(waited, takes));
  }

  private void hammer() {
    while (!over) {
      lock.lock();
      turns++;
      lock.unlock();
    }
  }

  private static void report(int hammers, long[] overtaken, long[] waited) {
    Arrays.sort(overtaken);
    Arrays.sort(waited);
    int last = overtaken.length - 1;
    System.out.printf(
        Locale.ROOT,
        "%d hammering, %,d takes: overtaken p50 %,d, p99 %,d, at most %,d times;"
            + " waited p50 %,d, p99 %,d, at most %,d µs%n",
        hammers,
        overtaken.length,
        overtaken[last / 2],
        overtaken[last * 99 / 100],
        overtaken[last],
        waited[last / 2] / 1000,
        waited[last * 99 / 100] / 1000,
        waited[last] / 1000);
  }
}
