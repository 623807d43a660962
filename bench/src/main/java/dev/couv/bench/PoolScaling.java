// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

import dev.couv.pool.LoopPool;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// How much faster a pool of several threads computes than a pool of one. Run by `bench/pool`. Both do the
/// same tasks in turn, so that a busy machine disturbs both; the medians are compared.
final class PoolScaling {
  private static final int TASKS = 64;
  private static final int STEPS = 6_000_000;
  private static final int ROUNDS = 9;

  private PoolScaling() {}

  public static void main(String[] args) throws Exception {
    int threads = args.length > 0 ? Integer.parseInt(args[0]) : 2;
    double wanted = args.length > 1 ? Double.parseDouble(args[1]) : 1.8;
    List<Long> alone = new ArrayList<>();
    List<Long> together = new ArrayList<>();
    try (LoopPool one = LoopPool.open(1);
        LoopPool many = LoopPool.open(threads)) {
      compute(one);
      compute(many);
      for (int round = 0; round < ROUNDS; round++) {
        alone.add(compute(one));
        together.add(compute(many));
      }
    }
    double ratio = (double) median(alone) / median(together);
    System.out.printf(
        "1 thread %d ms, %d threads %d ms: %.2f times as fast, wanted %.2f%n",
        median(alone) / 1_000_000, threads, median(together) / 1_000_000, ratio, wanted);
    if (ratio < wanted) {
      System.exit(1);
    }
  }

  private static long compute(LoopPool pool) throws Exception {
    long start = System.nanoTime();
    List<Long> sums = pool.map(Collections.nCopies(TASKS, STEPS), PoolScaling::work);
    long taken = System.nanoTime() - start;
    if (sums.stream().distinct().count() != 1) {
      throw new AssertionError(sums);
    }
    return taken;
  }

  /// A chain of steps that the compiler cannot shorten.
  private static long work(int steps) {
    long state = 1;
    for (int i = 0; i < steps; i++) {
      state ^= state << 13;
      state ^= state >>> 7;
      state ^= state << 17;
    }
    return state;
  }

  private static long median(List<Long> times) {
    return times.stream().sorted().toList().get(times.size() / 2);
  }
}
