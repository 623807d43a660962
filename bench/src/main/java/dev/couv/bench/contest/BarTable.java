// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// All bars in Markdown: where the table of each is, what was found, and whether that reaches it.
final class BarTable {
  private final List<Bar> bars;
  private final List<Result> results;

  BarTable(List<Bar> bars, List<Result> results) {
    this.bars = bars;
    this.results = results;
  }

  String markdown() {
    List<String> lines = new ArrayList<>();
    int reached = 0;
    int missing = 0;
    for (Bar bar : bars) {
      Optional<Row> row = bar.find(results);
      missing += row.isEmpty() ? 1 : 0;
      reached += row.filter(bar::isReachedBy).isPresent() ? 1 : 0;
      lines.add(line(bar, row));
    }
    String count =
        "Of %d bars (`bench/bars.tsv`) %d are reached, %d are missed, %d are not measured."
            .formatted(bars.size(), reached, bars.size() - reached - missing, missing);
    return "## What is to be reached\n\n%s\n\n%s\n%s\n%s\n\n"
        .formatted(
            count,
            "| table | size | | bar | figure | reached |",
            "|---|--:|---|---|--:|---|",
            String.join("\n", lines));
  }

  private String line(Bar bar, Optional<Row> row) {
    return "| %s | %s | %s | %s | %s | %s |"
        .formatted(
            place(bar.result()),
            Table.shown(bar.size()),
            bar.metric().title(),
            bar.wanted(),
            row.map(bar::found).orElse(""),
            row.map(found -> mark(bar, found)).orElse("not measured"));
  }

  /// A link, if there is something to see.
  private String place(String name) {
    return result(name).map(_ -> "[%s](#%s)".formatted(name, name)).orElse(name);
  }

  private String mark(Bar bar, Row row) {
    boolean busy =
        result(bar.result()).filter(found -> !found.said(Result.DISTURBED).isEmpty()).isPresent();
    return (bar.isReachedBy(row) ? "yes" : "**no**") + (busy ? ", on a busy machine" : "");
  }

  private Optional<Result> result(String name) {
    return results.stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
