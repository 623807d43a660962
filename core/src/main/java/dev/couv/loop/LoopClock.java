// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.util.function.LongSupplier;

/// A loop's time in nanoseconds: the clock itself, what it said at the last turn, and what it said lately.
final class LoopClock {
  private final LongSupplier clock;
  private long now;
  private long recent;
  private long recentTurn;
  private long turns;

  LoopClock(LongSupplier clock) {
    this.clock = clock;
  }

  long now() {
    return now;
  }

  long read() {
    recent = clock.getAsLong();
    return recent;
  }

  long recently() {
    if (recentTurn != turns) {
      recentTurn = turns;
      recent = clock.getAsLong();
    }
    return recent;
  }

  void update() {
    now = read();
  }

  /// A turn of the loop begins.
  void turn() {
    turns++;
  }

  long turns() {
    return turns;
  }
}
