// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// How one server did in all rounds of a case.
final class Standing {
  private final Contender contender;
  private final double idleMebibytes;
  private final List<Sample> samples = new ArrayList<>();
  private double loadedMebibytes;

  Standing(Contender contender, double idleMebibytes) {
    this.contender = contender;
    this.idleMebibytes = idleMebibytes;
  }

  void add(Sample sample) {
    samples.add(sample);
  }

  void endedWith(double mebibytes) {
    loadedMebibytes = mebibytes;
  }

  Contender contender() {
    return contender;
  }

  /// Before its first connection.
  double idleMebibytes() {
    return idleMebibytes;
  }

  /// After its last.
  double loadedMebibytes() {
    return loadedMebibytes;
  }

  /// The median, in nanoseconds.
  double cpuPerUnit() {
    return median(sorted(Sample::cpuPerUnit));
  }

  /// The median, by the clock on the wall.
  double unitsPerSecond() {
    return median(sorted(Sample::unitsPerSecond));
  }

  /// CPU time per unit by that of the other, round by round, in ascending order.
  double[] costs(Standing base) {
    double[] ratios = new double[samples.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = samples.get(i).cpuPerUnit() / base.samples.get(i).cpuPerUnit();
    }
    Arrays.sort(ratios);
    return ratios;
  }

  private double[] sorted(ToDoubleFunction<Sample> value) {
    return samples.stream().mapToDouble(value).sorted().toArray();
  }

  static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
