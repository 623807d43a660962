// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import dev.couv.memory.DiskTrouble;
import dev.couv.memory.Entropy;
import org.jspecify.annotations.Nullable;

/// What a disk does to a host, by its weather and the seed.
final class SimulatedDisk implements DiskTrouble {
  private final Entropy entropy;
  private @Nullable Fault trouble;
  private DiskWeather weather = DiskWeather.CALM;

  SimulatedDisk(Entropy entropy) {
    this.entropy = entropy;
  }

  void weather(DiskWeather newWeather) {
    weather = newWeather;
  }

  /// For a while, until it is null again.
  void trouble(@Nullable Fault newTrouble) {
    trouble = newTrouble;
  }

  private DiskWeather now() {
    return trouble == null ? weather : trouble.disk(weather);
  }

  @Override
  public long latency(String call) {
    DiskWeather now = now();
    long latency =
        1 + (long) (now.typical().toNanos() * -StrictMath.log(1 - entropy.random().nextDouble()));
    return entropy.chance(now.stalls()) ? latency + now.stall().toNanos() : latency;
  }

  @Override
  public @Nullable String error(String call) {
    return entropy.chance(now().errors()) ? "EIO" : null;
  }

  @Override
  public boolean misdirects() {
    return entropy.chance(now().misdirected());
  }

  @Override
  public long capacity() {
    return now().capacity();
  }
}
