// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.time.Duration;
import java.util.Objects;

/// Lengths of time as the loop's clock counts them, in nanoseconds.
final class Durations {
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private Durations() {}

  /// Refuses what is not positive, or longer than 292 years.
  static void check(Duration time) {
    Objects.requireNonNull(time, "time");
    if (!time.isPositive() || time.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("a time of " + time);
    }
  }
}
