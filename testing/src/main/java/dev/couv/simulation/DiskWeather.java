// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.time.Duration;

/// What the disk of a host is like.
///
/// @param typical how long a call takes on average
/// @param stalls how likely a call hangs, for as long as `stall` says
/// @param errors how likely a call fails with `EIO`
/// @param misdirected how likely a write goes to another place of its file
/// @param capacity how many bytes it has room for: behind that writes fail with `ENOSPC`
public record DiskWeather(
    Duration typical,
    double stalls,
    Duration stall,
    double errors,
    double misdirected,
    long capacity) {
  /// A good disk: a tenth of a millisecond, no failures, a terabyte.
  public static final DiskWeather CALM =
      new DiskWeather(Duration.ofNanos(100_000), 0, Duration.ZERO, 0, 0, 1L << 40);

  /// Refuses what is negative, or no probability.
  public DiskWeather {
    if (typical.isNegative() || stall.isNegative() || capacity < 0) {
      throw new IllegalArgumentException("a disk of " + typical + ", " + stall + ", " + capacity);
    }
    Weather.checkProbability(stalls, "stalls");
    Weather.checkProbability(errors, "errors");
    Weather.checkProbability(misdirected, "misdirected");
  }

  /// The same, but a call takes that long on average.
  public DiskWeather withLatency(Duration newTypical) {
    return new DiskWeather(newTypical, stalls, stall, errors, misdirected, capacity);
  }

  /// The same, but that many calls hang for so long.
  public DiskWeather withStalls(double probability, Duration newStall) {
    return new DiskWeather(typical, probability, newStall, errors, misdirected, capacity);
  }

  /// The same, but that many calls fail.
  public DiskWeather withErrors(double probability) {
    return new DiskWeather(typical, stalls, stall, probability, misdirected, capacity);
  }

  /// The same, but that many writes go elsewhere.
  public DiskWeather withMisdirected(double probability) {
    return new DiskWeather(typical, stalls, stall, errors, probability, capacity);
  }

  /// The same with room for so many bytes.
  public DiskWeather withCapacity(long bytes) {
    return new DiskWeather(typical, stalls, stall, errors, misdirected, bytes);
  }
}
