// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.util.EnumMap;
import java.util.Map;

/// What was seen of one contender in one round.
///
/// @param share how much of the time it had its core; 1 where that says nothing
record Sample(Map<Metric, Double> figures, double share) {
  /// So much done, for so much CPU time in so much time.
  static Sample counted(double done, long cpu, long time) {
    Map<Metric, Double> figures = new EnumMap<>(Metric.class);
    figures.put(Metric.CPU, cpu / done);
    figures.put(Metric.TIME, time / done);
    return new Sample(figures, 1);
  }

  /// The line of `load`: messages, CPU time, time, p50, p99.
  static Sample ofLoad(String line) {
    String[] fields = line.strip().split(" ", -1);
    double messages = Double.parseDouble(fields[0]);
    double cpu = Double.parseDouble(fields[1]);
    double time = Double.parseDouble(fields[2]);
    Map<Metric, Double> figures = new EnumMap<>(Metric.class);
    figures.put(Metric.CPU, cpu / messages);
    figures.put(Metric.P50, Double.parseDouble(fields[3]));
    figures.put(Metric.P99, Double.parseDouble(fields[4]));
    return new Sample(figures, cpu / time);
  }

  /// Lines of a metric and its value each. Others are passed over.
  static Sample ofLines(String said) {
    Map<Metric, Double> figures = new EnumMap<>(Metric.class);
    for (String line : said.split("\n", -1)) {
      String[] parts = line.strip().split(" ", -1);
      if (parts.length == 2) {
        for (Metric metric : Metric.values()) {
          if (metric.key().equals(parts[0])) {
            figures.put(metric, Double.parseDouble(parts[1]));
          }
        }
      }
    }
    return new Sample(figures, 1);
  }
}
