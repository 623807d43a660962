// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.util.Locale;

/// What is told of a contender. Of each less is better, so a ratio above one is a loss.
enum Metric {
  /// Processor time of the whole process for one unit of work.
  CPU("CPU", "ns"),
  /// Of that, what the process took that gave the work to others.
  CALLER("CPU of the caller", "ns"),
  /// Of that, what those took together who did it.
  WORKERS("CPU of the workers", "ns"),
  /// Of that, what it took to wake one that slept.
  WAKE("CPU to wake", "ns"),
  /// Time on the wall for one unit of work.
  TIME("time", "ns"),
  /// Half of all latencies are shorter.
  P50("p50", "ns"),
  /// One in a hundred is longer.
  P99("p99", "ns"),
  /// Resident memory for one more of what is counted.
  MEMORY("memory", "B"),
  /// Resident memory before there was any work.
  IDLE("idle", "B"),
  /// Resident memory after the last of it.
  LOADED("loaded", "B");

  private final String title;
  private final String unit;

  Metric(String title, String unit) {
    this.title = title;
    this.unit = unit;
  }

  String title() {
    return title;
  }

  /// What it is in a file.
  String unit() {
    return unit;
  }

  /// Whether it is worth a ratio. What a whole process has in memory is told as it is.
  boolean isCompared() {
    return this != IDLE && this != LOADED;
  }

  boolean isTime() {
    return unit.equals("ns");
  }

  /// As it is called in a file.
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Metric of(String key) {
    return valueOf(key.toUpperCase(Locale.ROOT));
  }

  /// For people: three digits and a unit that fits.
  String show(double value) {
    return isTime()
        ? scaled(value, 1000, "ns", "µs", "ms", "s")
        : scaled(value, 1024, "B", "KiB", "MiB", "GiB");
  }

  private static String scaled(double value, double step, String... units) {
    int unit = 0;
    double shown = value;
    while (Math.abs(shown) >= step && unit < units.length - 1) {
      shown /= step;
      unit++;
    }
    int digits = Math.abs(shown) >= 100 || unit == 0 ? 0 : Math.abs(shown) >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%,." + digits + "f %s", shown, units[unit]);
  }
}
