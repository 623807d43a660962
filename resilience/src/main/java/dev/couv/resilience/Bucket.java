// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import java.math.BigInteger;
import java.time.Duration;

/// Tokens that are refilled evenly, up to a burst.
///
/// Not the tokens are counted but the moment at which the bucket will be full: taking some moves it into the future, and time
/// needs no upkeep. A token costs a fraction of nanoseconds, `period / permits`, and the moment is kept as whole nanoseconds
/// and a numerator over `permits`, so that no rate drifts, however odd it is. Times are compared by their difference, as those
/// of `System.nanoTime`.
final class Bucket {
  /// Half of the clock's range, so that the differences of times in it can be compared.
  private static final long LONGEST = Long.MAX_VALUE / 2;

  private final int permits;
  private final Duration period;
  private final int burst;
  private final long wholeCost;
  private final long partCost;

  private long fullAt;
  private long fullAtPart;

  Bucket(int permits, Duration period, int burst, long now) {
    if (permits < 1) {
      throw new IllegalArgumentException("permits: " + permits);
    }
    if (burst < 1) {
      throw new IllegalArgumentException("burst: " + burst);
    }
    long nanos = Durations.nanos(period, "period");
    if (nanos == 0) {
      throw new IllegalArgumentException("period out of range: " + period);
    }
    if (BigInteger.valueOf(nanos)
            .multiply(BigInteger.valueOf(burst))
            .divide(BigInteger.valueOf(permits))
            .compareTo(BigInteger.valueOf(LONGEST))
        > 0) {
      throw new IllegalArgumentException(
          "a burst of " + burst + " is not refilled by " + permits + " in " + period);
    }
    this.permits = permits;
    this.period = period;
    this.burst = burst;
    this.wholeCost = nanos / permits;
    this.partCost = nanos % permits;
    this.fullAt = now;
  }

  int burst() {
    return burst;
  }

  /// How long from now so many are there, in the first whole nanosecond; zero or less if they are.
  long nanosUntil(int count, long now) {
    // So many may still be missing then.
    int missing = burst - count;
    long moment = fullAt - whole(missing);
    long more = fullAtPart > part(missing) ? 1 : 0;
    return moment - now + more;
  }

  /// Takes so many, which are there, for somebody who has wanted them since then: until then a bucket that was full ran over,
  /// and after it did not.
  void take(int count, long since) {
    if (fullAt - since < 0) {
      fullAt = since;
      fullAtPart = 0;
    }
    fullAt += whole(count);
    fullAtPart += part(count);
    if (fullAtPart >= permits) {
      fullAt++;
      fullAtPart -= permits;
    }
  }

  /// How many are there. Found by halving: the product of a time and a rate does not fit a number.
  int tokens(long now) {
    int some = 0;
    int tooMany = burst;
    while (some < tooMany) {
      int middle = tooMany - (tooMany - some) / 2;
      if (nanosUntil(middle, now) <= 0) {
        some = middle;
      } else {
        tooMany = middle - 1;
      }
    }
    return some;
  }

  /// What so many cost, in whole nanoseconds.
  private long whole(int count) {
    return count * wholeCost + count * partCost / permits;
  }

  /// What they cost beside that.
  private long part(int count) {
    return count * partCost % permits;
  }

  @Override
  public String toString() {
    return permits + " in " + period + ", " + burst + " at once";
  }
}
