// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What one figure is to reach: a line of `bench/bars.tsv`, at one of its sizes and for one of its metrics.
///
/// @param base whose figure it is a ratio to; [#ITSELF] if it is the figure itself
record Bar(String result, String size, Metric metric, String peer, String base, double most) {
  private static final String ITSELF = "-";

  private static final String HEAD = "result\tsizes\tmetrics\tpeer\tbase\tmost";

  static List<Bar> all(Path root) throws IOException {
    List<Bar> bars = new ArrayList<>();
    for (String line : Files.readAllLines(root.resolve("bench/bars.tsv"))) {
      if (!line.startsWith("#") && !line.isBlank() && !line.equals(HEAD)) {
        parse(line, bars);
      }
    }
    return bars;
  }

  private static void parse(String line, List<Bar> bars) {
    String[] cells = line.split("\t", -1);
    if (cells.length != 6) {
      throw new IllegalArgumentException("six columns are wanted, not " + line);
    }
    double most = Double.parseDouble(cells[5]);
    for (String size : cells[1].split(",", -1)) {
      for (String metric : cells[2].split(",", -1)) {
        bars.add(new Bar(cells[0], size, Metric.of(metric), cells[3], cells[4], most));
      }
    }
  }

  /// The figure that tells; nothing if nobody has measured it, or the base was not there.
  Optional<Row> find(List<Result> results) {
    return results.stream()
        .filter(each -> each.name().equals(result))
        .flatMap(each -> find(each).stream())
        .findFirst();
  }

  private Optional<Row> find(Result table) {
    Optional<Row> ours = table.find(size, peer, metric);
    if (isItself()) {
      return ours;
    }
    return ours.flatMap(
        row ->
            table.find(size, base, metric).map(theirs -> row.isTo(theirs) ? row : row.to(theirs)));
  }

  boolean isReachedBy(Row row) {
    return (isItself() ? row.value() : row.ratio()) <= most;
  }

  /// What is wanted, for people.
  String wanted() {
    return isItself()
        ? "≤ " + metric.show(most)
        : String.format(Locale.ROOT, "≤ %.2f × %s", most, base);
  }

  /// What was found, for people.
  String found(Row row) {
    if (isItself()) {
      return metric.show(row.value());
    }
    String range =
        row.low() == row.high()
            ? ""
            : String.format(Locale.ROOT, ", %.2f–%.2f", row.low(), row.high());
    return String.format(Locale.ROOT, "%.2f%s", row.ratio(), range);
  }

  private boolean isItself() {
    return base.equals(ITSELF);
  }
}
