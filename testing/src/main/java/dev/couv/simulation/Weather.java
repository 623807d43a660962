// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import dev.couv.memory.Entropy;
import java.time.Duration;

/// What the way from one host to another is like.
///
/// What goes there takes at least `fastest`, and on average `typical` more, with a long tail: one in a hundred takes five times as
/// long as the average, one in ten thousand ten times. So datagrams overtake each other.
///
/// @param loss how likely a datagram is lost; a piece of a connection then comes 200 ms later
/// @param duplication how likely a datagram comes twice
public record Weather(Duration fastest, Duration typical, double loss, double duplication) {
  /// A good network: half a millisecond, now and then some more; nothing is lost.
  public static final Weather CALM =
      new Weather(Duration.ofNanos(500_000), Duration.ofNanos(200_000), 0, 0);

  /// A bad one: tens of milliseconds, with a tail of hundreds, and something is lost or doubled now and then.
  public static final Weather STORM =
      new Weather(Duration.ofMillis(2), Duration.ofMillis(40), 0.02, 0.01);

  /// Refuses what is negative, or no probability.
  public Weather {
    if (fastest.isNegative() || typical.isNegative()) {
      throw new IllegalArgumentException("a latency of " + fastest + " and " + typical);
    }
    checkProbability(loss, "loss");
    checkProbability(duplication, "duplication");
  }

  static void checkProbability(double probability, String of) {
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException(of + ": a probability is from 0 to 1, not " + probability);
    }
  }

  /// The same with other latencies.
  public Weather withLatency(Duration newFastest, Duration newTypical) {
    return new Weather(newFastest, newTypical, loss, duplication);
  }

  /// The same, but that many datagrams are lost.
  public Weather withLoss(double probability) {
    return new Weather(fastest, typical, probability, duplication);
  }

  /// The same, but that many datagrams come twice.
  public Weather withDuplication(double probability) {
    return new Weather(fastest, typical, loss, probability);
  }

  long latency(Entropy entropy) {
    // An exponential distribution; StrictMath, because each machine is to find the same.
    double chance = entropy.random().nextDouble();
    return fastest.toNanos() + (long) (typical.toNanos() * -StrictMath.log(1 - chance));
  }
}
