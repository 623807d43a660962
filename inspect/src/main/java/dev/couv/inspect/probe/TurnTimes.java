// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

/// How long turns of a loop took: how many there were, all of them together, the longest, and the one that 99 of 100 were
/// no longer than. They are counted by their first four binary digits, so that a second of a busy loop is no more than some
/// hundred numbers.
///
/// Not for several threads at once.
final class TurnTimes {
  private static final int STEPS_LOG = 3;
  private static final int STEPS = 1 << STEPS_LOG;

  private final int[] counts = new int[(Long.SIZE - STEPS_LOG) * STEPS];
  private long turns;
  private long nanos;
  private long longest;

  void add(long took) {
    long time = Math.max(0, took);
    counts[step(time)]++;
    turns++;
    nanos += time;
    longest = Math.max(longest, time);
  }

  void add(TurnTimes others) {
    for (int step = 0; step < counts.length; step++) {
      counts[step] += others.counts[step];
    }
    turns += others.turns;
    nanos += others.nanos;
    longest = Math.max(longest, others.longest);
  }

  long averageNanos() {
    return turns == 0 ? 0 : nanos / turns;
  }

  long longestNanos() {
    return longest;
  }

  /// At most an eighth more than it was.
  long p99Nanos() {
    long beyond = turns / 100; // so many may be longer
    for (int step = counts.length - 1; step >= 0; step--) {
      beyond -= counts[step];
      if (beyond < 0) {
        return Math.min(end(step), longest);
      }
    }
    return 0;
  }

  /// Times below sixteen have a step each.
  private static int step(long time) {
    int digits = Long.SIZE - Long.numberOfLeadingZeros(time);
    int shift = Math.max(0, digits - STEPS_LOG - 1);
    return (shift << STEPS_LOG) + (int) (time >> shift);
  }

  /// The longest time of that step.
  private static long end(int step) {
    int shift = Math.max(0, (step >> STEPS_LOG) - 1);
    long first = step - ((long) shift << STEPS_LOG);
    return ((first + 1) << shift) - 1;
  }
}
