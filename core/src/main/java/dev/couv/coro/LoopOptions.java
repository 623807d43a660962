// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.OptionalLong;

/// How a loop is to run: where it gets its time from, and whether the order of ready coroutines is
/// shuffled. A test's seams; the defaults are right for programs.
public record LoopOptions(TimeSource time, OptionalLong shuffleSeed) {
  /// The machine's clock, first come first served.
  public static final LoopOptions DEFAULT =
      new LoopOptions(TimeSource.SYSTEM, OptionalLong.empty());

  /// The same with another clock.
  public LoopOptions withTime(TimeSource newTime) {
    return new LoopOptions(newTime, shuffleSeed);
  }

  /// The same, but ready coroutines run in an order drawn from the seed instead of FIFO: a program
  /// must not depend on it, and a test shows whether it does.
  public LoopOptions withShuffle(long seed) {
    return new LoopOptions(time, OptionalLong.of(seed));
  }
}
