// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import java.time.Duration;
import java.util.Objects;

/// Durations as the loop's clock counts them, in nanoseconds: from zero to about 292 years.
final class Durations {
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private Durations() {}

  /// Its nanoseconds, or the misuse of the parameter of that name.
  static long nanos(Duration duration, String name) {
    Objects.requireNonNull(duration, name);
    if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(name + " out of range: " + duration);
    }
    return duration.toNanos();
  }
}
