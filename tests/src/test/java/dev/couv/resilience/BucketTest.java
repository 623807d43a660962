// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The arithmetic of tokens: exact, at every rate and at every time.
class BucketTest {
  /// As the bucket, in fractions that have no limits: time × permits, and a token is a period.
  private static final class Model {
    private final BigInteger permits;
    private final BigInteger period;
    private final BigInteger full;
    private BigInteger level;
    private long last;

    Model(int permits, long period, int burst, long now) {
      this.permits = BigInteger.valueOf(permits);
      this.period = BigInteger.valueOf(period);
      this.full = this.period.multiply(BigInteger.valueOf(burst));
      this.level = full;
      this.last = now;
    }

    void pass(long now) {
      level = level.add(permits.multiply(BigInteger.valueOf(now - last))).min(full);
      last = now;
    }

    int tokens() {
      return level.divide(period).intValueExact();
    }

    void take(int count) {
      level = level.subtract(period.multiply(BigInteger.valueOf(count)));
      assertTrue(level.signum() >= 0);
    }

    /// The first whole nanosecond at which they are there.
    long nanosUntil(int count) {
      BigInteger missing = period.multiply(BigInteger.valueOf(count)).subtract(level);
      return missing.signum() <= 0
          ? 0
          : missing.add(permits).subtract(BigInteger.ONE).divide(permits).longValueExact();
    }
  }

  @Test
  void isExactAtEveryRate() {
    Random random = new Random(11);
    List<Long> periods =
        List.of(1L, 7L, 1000L, 999_999_937L, 1_000_000_000L, 31_536_000_000_000_000L);
    for (long period : periods) {
      for (int permits : List.of(1, 3, 7, 1000, 999_983, Integer.MAX_VALUE)) {
        for (int burst : List.of(1, 2, 10, 1000)) {
          if ((double) period / permits * burst < 4e18) {
            compare(permits, period, burst, random);
          }
        }
      }
    }
  }

  private static void compare(int permits, long period, int burst, Random random) {
    long now = Long.MAX_VALUE - 5; // the clock goes over its end
    Bucket bucket = new Bucket(permits, Duration.ofNanos(period), burst, now);
    Model model = new Model(permits, period, burst, now);
    long cost = Math.max(2, period / permits);
    for (int i = 0; i < 200; i++) {
      int count = random.nextInt(burst + 1);
      String where = permits + " in " + period + ", burst " + burst + ", step " + i;
      assertEquals(model.tokens(), bucket.tokens(now), where);
      long wait = Math.max(0, bucket.nanosUntil(count, now));
      assertEquals(model.nanosUntil(count), wait, where);
      now += wait;
      model.pass(now);
      model.take(count);
      bucket.take(count, now);
      now += random.nextInt(3) == 0 ? random.nextLong(cost * 2) : 0;
      model.pass(now);
    }
  }

  @Test
  void whatCannotBeCountedIsRefused() {
    Duration longest = Duration.ofNanos(Long.MAX_VALUE);
    assertRefused(0, Duration.ofSeconds(1), 1);
    assertRefused(1, Duration.ofSeconds(1), 0);
    assertRefused(-1, Duration.ofSeconds(1), 1);
    assertRefused(1, Duration.ZERO, 1);
    assertRefused(1, Duration.ofNanos(-1), 1);
    assertRefused(1, longest.plusNanos(1), 1);
    assertRefused(1, longest, 1);
    assertRefused(1, Duration.ofDays(365), Integer.MAX_VALUE);
    assertThrows(NullPointerException.class, () -> new Bucket(1, null, 1, 0));

    assertEquals(2, new Bucket(2, longest.dividedBy(2), 2, 0).tokens(0));
    int many = Integer.MAX_VALUE;
    assertEquals(many, new Bucket(many, longest.dividedBy(2), many, 0).tokens(0));
    assertEquals(many, new Bucket(many, Duration.ofNanos(1), many, 0).tokens(0));
  }

  private static void assertRefused(int permits, Duration period, int burst) {
    assertThrows(IllegalArgumentException.class, () -> new Bucket(permits, period, burst, 0));
  }
}
