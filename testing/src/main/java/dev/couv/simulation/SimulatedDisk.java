// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import dev.couv.memory.DiskTrouble;
import dev.couv.memory.Entropy;
import org.jspecify.annotations.Nullable;

/// What a disk does to a host, by its weather and the seed.
final class SimulatedDisk implements DiskTrouble {
  private final Entropy entropy;
  private DiskWeather weather = DiskWeather.CALM;

  SimulatedDisk(Entropy entropy) {
    this.entropy = entropy;
  }

  void weather(DiskWeather newWeather) {
    weather = newWeather;
  }

  @Override
  public long latency(String call) {
    long latency =
        1
            + (long)
                (weather.typical().toNanos() * -StrictMath.log(1 - entropy.random().nextDouble()));
    return entropy.chance(weather.stalls()) ? latency + weather.stall().toNanos() : latency;
  }

  @Override
  public @Nullable String error(String call) {
    return entropy.chance(weather.errors()) ? "EIO" : null;
  }

  @Override
  public boolean misdirects() {
    return entropy.chance(weather.misdirected());
  }

  @Override
  public long capacity() {
    return weather.capacity();
  }
}
