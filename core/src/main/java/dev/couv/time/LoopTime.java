// SPDX-License-Identifier: Apache-2.0
package dev.couv.time;

import java.time.Instant;

/// The loop's time on the calendar. Wall-clock time and loop time meet at the first use; from then on only the loop's
/// counts.
@SuppressWarnings("TimeInStaticInitializer") // the moment does not matter, only that it is one
final class LoopTime {
  private static final Instant ORIGIN = Instant.now();
  private static final long ORIGIN_NANOS = System.nanoTime();

  private LoopTime() {}

  static Instant instant(long loopNanos) {
    return ORIGIN.plusNanos(loopNanos - ORIGIN_NANOS);
  }
}
