// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How a cost grows with its size: for each contender what it is at each, and how often it is what it was at the first.
final class Growth {
  private Growth() {}

  /// A table in Markdown; nothing if there is only one size.
  static Optional<String> of(Result result, Metric metric) {
    List<String> sizes = result.sizes();
    if (sizes.size() < 2) {
      return Optional.empty();
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "| "
            + metric.title()
            + " of one "
            + result.said(Result.UNIT)
            + " at size | "
            + String.join(" | ", sizes.stream().map(Table::shown).toList())
            + " | grows |");
    lines.add("|---|" + "--:|".repeat(sizes.size()) + "--:|");
    for (String peer : result.peers()) {
      List<Row> row =
          sizes.stream().flatMap(size -> result.find(size, peer, metric).stream()).toList();
      if (row.size() == sizes.size()) {
        List<String> shown = row.stream().map(each -> metric.show(each.value())).toList();
        double grown = row.getLast().value() / row.getFirst().value();
        lines.add(
            String.format(
                Locale.ROOT, "| %s | %s | × %.2f |", peer, String.join(" | ", shown), grown));
      }
    }
    return Optional.of(String.join("\n", lines) + "\n");
  }
}
