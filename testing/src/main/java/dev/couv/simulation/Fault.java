// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.time.Duration;

/// Something that is done to hosts at some moment, and is over after a while.
///
/// @param other the other host, where two are concerned; else empty
/// @param strength from 0 to 1: how bad it is, where that can be told
record Fault(Kind kind, String host, String other, Duration at, Duration lasting, double strength) {
  private static final long MOST_LATENCY = 400_000_000;
  private static final double MOST_LOSS = 0.4;
  private static final long MOST_DISK_LATENCY = 100_000_000;
  private static final long MOST_STALL = 3_000_000_000L;
  private static final double STALLS = 0.1;
  private static final double MOST_ERRORS = 0.5;
  private static final long MOST_AHEAD = 500_000_000;
  private static final long MOST_DRIFT = 100_000;

  enum Kind {
    CRASH("crash of %s", false),
    PAUSE("pause of %s", false),
    PARTITION("partition between %s and %s", true),
    ONE_WAY_PARTITION("nothing from %s to %s", true),
    RESET("reset of connections between %s and %s", true),
    STORM("slow and lossy ways between %s and %s", true),
    SLOW_DISK("slow disk of %s", false),
    STALLING_DISK("stalling disk of %s", false),
    FULL_DISK("full disk of %s", false),
    FAILING_DISK("failing disk of %s", false),
    SKEW("skewed clock of %s", false);

    private final String words;
    private final boolean isOfTwo;

    Kind(String words, boolean isOfTwo) {
      this.words = words;
      this.isOfTwo = isOfTwo;
    }

    boolean isOfTwo() {
      return isOfTwo;
    }

    /// Whether it can be worse or better.
    boolean hasStrength() {
      return compareTo(RESET) > 0;
    }
  }

  /// What a way is like meanwhile.
  Weather weather() {
    return Weather.STORM
        .withLatency(Weather.CALM.fastest(), Duration.ofNanos((long) (MOST_LATENCY * strength)))
        .withLoss(MOST_LOSS * strength);
  }

  /// What a disk is like meanwhile, which else is like that.
  DiskWeather disk(DiskWeather usual) {
    return switch (kind) {
      case SLOW_DISK ->
          usual.withLatency(usual.typical().plusNanos((long) (MOST_DISK_LATENCY * strength)));
      case STALLING_DISK ->
          usual.withStalls(STALLS, Duration.ofNanos((long) (MOST_STALL * strength)));
      case FULL_DISK -> usual.withCapacity(0);
      case FAILING_DISK -> usual.withErrors(MOST_ERRORS * strength);
      case CRASH, PAUSE, PARTITION, ONE_WAY_PARTITION, RESET, STORM, SKEW -> usual;
    };
  }

  /// How far a clock jumps.
  Duration ahead() {
    return Duration.ofNanos((long) (MOST_AHEAD * strength));
  }

  /// How much faster it goes; it is slower if that is negative.
  long partsPerMillion() {
    return (long) (MOST_DRIFT * (2 * strength - 1));
  }

  @Override
  public String toString() {
    return Moments.text(at.toNanos())
        + "  "
        + kind.words.formatted(host, other)
        + (kind == Kind.RESET ? "" : ", for " + Moments.text(lasting.toNanos()));
  }
}
