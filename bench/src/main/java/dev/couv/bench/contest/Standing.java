// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// How one contender did in all rounds of a case.
final class Standing {
  private static final double OWN_CORE = 0.8;

  private final Contender contender;
  private final Map<Metric, List<Double>> figures = new EnumMap<>(Metric.class);
  private int disturbed;

  Standing(Contender contender) {
    this.contender = contender;
  }

  void add(Sample sample) {
    sample.figures().forEach(this::add);
    if (sample.share() < OWN_CORE) {
      disturbed++;
    }
  }

  void add(Metric metric, double value) {
    figures.computeIfAbsent(metric, _ -> new ArrayList<>()).add(value);
  }

  Contender contender() {
    return contender;
  }

  /// Rounds in which others had the core for a good part of the time. A server of a closed loop is never idle.
  int disturbed() {
    return disturbed;
  }

  Set<Metric> metrics() {
    return figures.keySet();
  }

  Row row(String size, Metric metric, Standing base) {
    double[] ratios = ratios(metric, base);
    return new Row(
        size,
        metric,
        contender.label(),
        base.contender.label(),
        median(of(metric).stream().mapToDouble(value -> value).toArray()),
        median(ratios),
        Arrays.stream(ratios).min().orElseThrow(),
        Arrays.stream(ratios).max().orElseThrow());
  }

  /// Round by round: what disturbed a round disturbed both.
  private double[] ratios(Metric metric, Standing base) {
    List<Double> ours = of(metric);
    List<Double> theirs = base.of(metric);
    double[] ratios = new double[Math.min(ours.size(), theirs.size())];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = ours.get(i) / theirs.get(i);
    }
    return ratios;
  }

  private List<Double> of(Metric metric) {
    return figures.getOrDefault(metric, List.of());
  }

  private static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
