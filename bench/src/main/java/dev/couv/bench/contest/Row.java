// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.util.Locale;

/// One figure of one contender: the median over the rounds, and its ratio to the base's in the same round: median, least, most.
record Row(
    String size,
    Metric metric,
    String peer,
    String base,
    double value,
    double ratio,
    double low,
    double high) {

  static final String HEAD = "size\tmetric\tunit\tpeer\tbase\tvalue\tratio\tlow\thigh";

  String line() {
    return String.format(
        Locale.ROOT,
        "%s\t%s\t%s\t%s\t%s\t%.1f\t%.3f\t%.3f\t%.3f",
        size,
        metric.key(),
        metric.unit(),
        peer,
        base,
        value,
        ratio,
        low,
        high);
  }

  /// Whether it is measured by that one.
  boolean isTo(Row other) {
    return base.equals(other.peer);
  }

  /// The same figure, measured by another contender of its table, which is not the base of it: the ratio of both ratios to the base, each of which
  /// is of one round, so that rounds in which the machine was slower do not count. A result does not have the rounds one by one, so nobody
  /// knows its range.
  Row to(Row other) {
    double found = ratio / other.ratio;
    return new Row(size, metric, peer, other.peer, value, found, found, found);
  }

  static Row parse(String line) {
    String[] cells = line.split("\t", -1);
    if (cells.length != 9) {
      throw new IllegalArgumentException("nine columns are wanted, not " + line);
    }
    return new Row(
        cells[0],
        Metric.of(cells[1]),
        cells[3],
        cells[4],
        Double.parseDouble(cells[5]),
        Double.parseDouble(cells[6]),
        Double.parseDouble(cells[7]),
        Double.parseDouble(cells[8]));
  }
}
