// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import java.time.Duration;

/// How long to wait between one attempt and the next.
@FunctionalInterface
public interface Backoff {
  /// How long to wait after so many failures, one or more, of which this was the last. A failure may know better than we do:
  /// an answer that says when to come again.
  Duration pause(int failures, Exception last);

  /// No waiting: the other coroutines run first, and then the next attempt.
  static Backoff none() {
    return fixed(Duration.ZERO);
  }

  /// Always as long.
  ///
  /// @throws IllegalArgumentException if it is negative or longer than 292 years
  static Backoff fixed(Duration pause) {
    return new Doubling(pause, pause);
  }

  /// Twice as long each time, but no longer than `atMost`.
  ///
  /// @throws IllegalArgumentException if one is negative or longer than 292 years, or the first is longer than the last
  static Backoff exponential(Duration first, Duration atMost) {
    return new Doubling(first, atMost);
  }
}
