// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.time.Instant;

/// The loop's time on the calendar. Wall-clock time and loop time meet at the first use; from then on only the loop's
/// counts.
@SuppressWarnings("TimeInStaticInitializer") // the moment does not matter, only that it is one
public final class WallTime {
  private static final Instant ORIGIN = Instant.now();
  private static final long ORIGIN_NANOS = System.nanoTime();

  private WallTime() {}

  /// What the calendar says at that moment of the machine's clock.
  public static Instant instant(long loopNanos) {
    return ORIGIN.plusNanos(loopNanos - ORIGIN_NANOS);
  }
}
