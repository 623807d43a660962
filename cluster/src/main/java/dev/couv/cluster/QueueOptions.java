// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import java.time.Duration;
import java.util.Objects;

/// How a queue treats its values. All processes that use a queue should say the same.
///
/// @param patience a value whose receiver says nothing of it for so long goes to another
/// @param deliveries how often a value is delivered before it is a dead letter
/// @param retryDelay how long a value rests that a handler failed on
/// @param prefetch how many values are fetched ahead of receivers, at most
public record QueueOptions(Duration patience, int deliveries, Duration retryDelay, int prefetch) {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final int MOST_PREFETCHED = 10_000;

  /// Half a minute of patience, five deliveries, a second of rest, and nothing fetched ahead.
  public static final QueueOptions DEFAULT =
      new QueueOptions(Duration.ofSeconds(30), 5, Duration.ofSeconds(1), 0);

  /// Checks that they make sense.
  public QueueOptions {
    Objects.requireNonNull(patience, "patience");
    Objects.requireNonNull(retryDelay, "retryDelay");
    if (patience.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException(
          "patience must be at least " + SHORTEST + ", and is " + patience);
    }
    if (deliveries < 1) {
      throw new IllegalArgumentException("deliveries must be positive: " + deliveries);
    }
    if (retryDelay.isNegative()) {
      throw new IllegalArgumentException("retryDelay is negative: " + retryDelay);
    }
    if (prefetch < 0 || prefetch > MOST_PREFETCHED) {
      throw new IllegalArgumentException(
          "prefetch must be from 0 to " + MOST_PREFETCHED + ", and is " + prefetch);
    }
  }

  /// How long a receiver may say nothing.
  public QueueOptions withPatience(Duration newPatience) {
    return new QueueOptions(newPatience, deliveries, retryDelay, prefetch);
  }

  /// How often a value is delivered before it is a dead letter.
  public QueueOptions withDeliveries(int newDeliveries) {
    return new QueueOptions(patience, newDeliveries, retryDelay, prefetch);
  }

  /// How long a value rests that a handler failed on.
  public QueueOptions withRetryDelay(Duration newRetryDelay) {
    return new QueueOptions(patience, deliveries, newRetryDelay, prefetch);
  }

  /// How many values are fetched ahead of receivers.
  public QueueOptions withPrefetch(int newPrefetch) {
    return new QueueOptions(patience, deliveries, retryDelay, newPrefetch);
  }
}
