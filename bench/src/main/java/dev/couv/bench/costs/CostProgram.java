// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.costs;

import java.lang.management.ManagementFactory;

/// One cost of one contender: `SIZE CASE WHO`. Warms up, measures, prints a line for each metric.
public final class CostProgram {
  /// Until the compiler is done: with a tenth of it a third of what is measured would be its own time, most of it with what has the most code.
  private static final int WARM_UP = 2_000_000;

  private static final int MEASURED = 3_000_000;

  /// Enough to start them all, and to look at them, before the first of them wakes.
  private static final double SLEEP_MILLIS_EACH = 0.015;

  private static final int SLEEP_MILLIS = 3000;

  private CostProgram() {}

  public static void main(String[] args) throws Exception {
    int size = Integer.parseInt(args[0]);
    Costs costs =
        switch (args[2]) {
          case "couv" -> new CouvCosts();
          case "threads" -> new ThreadCosts();
          case "jox" -> new JoxCosts();
          case "kotlinx" -> new KotlinxCosts();
          default -> throw new IllegalArgumentException(args[2]);
        };
    switch (args[1]) {
      case "spawn" -> measure(operations -> costs.spawn(size, operations));
      case "pause" -> measure(operations -> costs.pause(size, operations));
      case "channel" -> measure(operations -> costs.channel(size, operations));
      case "mutex" -> measure(operations -> costs.mutex(size, operations));
      case "sleepers" -> sleepers(costs, size);
      default -> throw new IllegalArgumentException(args[1]);
    }
  }

  private static void measure(Stopwatch.Work work) throws Exception {
    Stopwatch.measure(WARM_UP, MEASURED, work);
  }

  /// Memory is that of the heap, after a collection; CPU what it takes to start one, and to wake it, until it has ended. The look at
  /// the heap in between is nobody's.
  private static void sleepers(Costs costs, int count) throws Exception {
    costs.sleepers(Math.min(count, 20_000), 100).await();
    long before = heap();
    int millis = SLEEP_MILLIS + (int) (count * SLEEP_MILLIS_EACH);
    long begin = System.nanoTime();
    long idle = Stopwatch.cpuNanos();
    Costs.Sleepers sleepers = costs.sleepers(count, millis);
    double start = (double) (Stopwatch.cpuNanos() - idle) / count;
    Stopwatch.print("memory", (double) (heap() - before) / count);
    if (System.nanoTime() - begin > millis * 1_000_000L) {
      throw new IllegalStateException(
          "the first woke before the last slept: the machine is too slow");
    }
    long cpu = Stopwatch.cpuNanos();
    sleepers.await();
    double wake = (double) (Stopwatch.cpuNanos() - cpu) / count;
    Stopwatch.print("wake", wake);
    Stopwatch.print("cpu", start + wake);
  }

  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
