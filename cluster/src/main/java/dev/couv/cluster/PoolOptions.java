// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import java.time.Duration;
import java.util.Objects;

/// How a pool treats its tasks.
///
/// @param attempts how often a task may be begun, if workers are lost with it: more than once only
///   for what may be done twice
/// @param silence a worker that says nothing for so long is lost
/// @param limit how many tasks of one `map` are under way at a time
public record PoolOptions(int attempts, Duration silence, int limit) {
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /// One attempt, five seconds of silence, 256 tasks at a time.
  public static final PoolOptions DEFAULT = new PoolOptions(1, Duration.ofSeconds(5), 256);

  /// Checks that they make sense.
  public PoolOptions {
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be positive: " + attempts);
    }
    if (Objects.requireNonNull(silence, "silence").compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException(
          "silence must be at least " + SHORTEST + ", and is " + silence);
    }
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be positive: " + limit);
    }
  }

  /// How often a task may be begun: more than once only for what may be done twice.
  public PoolOptions withAttempts(int newAttempts) {
    return new PoolOptions(newAttempts, silence, limit);
  }

  /// How long a worker may say nothing.
  public PoolOptions withSilence(Duration newSilence) {
    return new PoolOptions(attempts, newSilence, limit);
  }

  /// How many tasks of one `map` are under way at a time.
  public PoolOptions withLimit(int newLimit) {
    return new PoolOptions(attempts, silence, newLimit);
  }
}
