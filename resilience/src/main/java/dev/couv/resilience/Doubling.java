// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import java.time.Duration;

/// A pause that doubles until it is as long as it may be.
record Doubling(Duration first, Duration atMost) implements Backoff {
  Doubling {
    long firstNanos = Durations.nanos(first, "first");
    if (firstNanos > Durations.nanos(atMost, "atMost")) {
      throw new IllegalArgumentException("first " + first + " is longer than atMost " + atMost);
    }
  }

  @Override
  public Duration pause(int failures, Exception last) {
    if (failures < 1) {
      throw new IllegalArgumentException("failures: " + failures);
    }
    long nanos = first.toNanos();
    if (nanos == 0) {
      return first;
    }
    int doublings = failures - 1;
    // So often it can be doubled and still be counted.
    int room = Long.numberOfLeadingZeros(nanos) - 1;
    Duration doubled = doublings > room ? atMost : Duration.ofNanos(nanos << doublings);
    return doubled.compareTo(atMost) < 0 ? doubled : atMost;
  }
}
