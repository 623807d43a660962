// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import dev.couv.coro.TimeSource;

/// The clock of a host: that of the simulation, but it may be ahead or behind, and go faster or slower. It goes on when the
/// host has crashed.
final class HostClock implements TimeSource {
  private static final long MILLION = 1_000_000;

  /// How far the machine's clock is off. All who run there have the same, and so has the next life.
  private static final class Drift {
    long offset;
    long partsPerMillion;
  }

  private final Timeline timeline;
  private final Drift drift;

  /// Of a life that is cut off: its time passes apart from all others', so that its code can unwind.
  private boolean apart;

  private long passed;

  HostClock(Timeline timeline) {
    this(timeline, new Drift());
  }

  private HostClock(Timeline timeline, Drift drift) {
    this.timeline = timeline;
    this.drift = drift;
  }

  /// The same clock, for another life or another process.
  HostClock again() {
    return new HostClock(timeline, drift);
  }

  void cutOff() {
    passed = nanos();
    apart = true;
  }

  /// From now on it goes so much faster, and is so much further than it was.
  void skew(long jump, long newPartsPerMillion) {
    long before = nanos();
    drift.partsPerMillion = newPartsPerMillion;
    drift.offset = 0;
    drift.offset = before + jump - nanos();
  }

  @Override
  public long nanos() {
    long now = timeline.now();
    return apart ? passed : now + now / MILLION * drift.partsPerMillion + drift.offset;
  }

  /// When the simulation's time will be such that this clock shows that, or soon after.
  long momentOf(long nanos) {
    long left = nanos - nanos();
    long parts = drift.partsPerMillion;
    return left <= 0
        ? timeline.now()
        : timeline.now() + left - left / (MILLION + parts) * parts + 1;
  }

  @Override
  public boolean isVirtual() {
    return true;
  }

  @Override
  public boolean jump(long deadline) {
    if (apart) {
      passed = Math.max(passed, deadline);
    }
    return apart;
  }
}
