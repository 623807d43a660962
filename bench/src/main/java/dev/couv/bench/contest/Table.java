// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// A result in Markdown: a row for each contender and size, two columns for each metric, and what one must know to read it.
final class Table {
  private final Result result;

  Table(Result result) {
    this.result = result;
  }

  String markdown() {
    List<String> lines = new ArrayList<>();
    lines.add("    " + result.said(Result.COMMAND));
    lines.add("");
    Set<Metric> metrics = result.metrics();
    StringBuilder head = new StringBuilder("| size | |");
    StringBuilder rule = new StringBuilder("|--:|---|");
    for (Metric metric : metrics) {
      head.append(' ').append(metric.title()).append(" |");
      rule.append("--:|");
      if (metric.isCompared()) {
        head.append(" × ").append(base()).append(" |");
        rule.append("--:|");
      }
    }
    lines.add(head.toString());
    lines.add(rule.toString());
    for (String size : result.sizes()) {
      for (String peer : result.peers()) {
        row(size, peer, metrics).ifPresent(lines::add);
      }
    }
    lines.add("");
    result.saidOf(Result.PEER).forEach((peer, text) -> lines.add("- " + peer + ": " + text));
    result
        .saidOf(Result.MISSING)
        .forEach((peer, text) -> lines.add("- not compared: " + peer + ", " + text));
    lines.add(
        "- %s; %s; load average %s; %s rounds, medians and the ratio's range over the rounds"
            .formatted(
                result.said(Result.DATE),
                result.said(Result.MACHINE),
                result.said(Result.LOAD),
                result.said(Result.ROUNDS)));
    if (!result.said(Result.DISTURBED).isEmpty()) {
      lines.add("- busy machine: " + result.said(Result.DISTURBED));
    }
    return String.join("\n", lines) + "\n";
  }

  private String base() {
    return result.rows().isEmpty() ? "?" : result.rows().getFirst().base();
  }

  private Optional<String> row(String size, String peer, Set<Metric> metrics) {
    StringBuilder line = new StringBuilder("| " + shown(size) + " | " + peer + " |");
    boolean any = false;
    for (Metric metric : metrics) {
      Optional<Row> row = result.find(size, peer, metric);
      any |= row.isPresent();
      line.append(row.map(Table::cells).orElse(metric.isCompared() ? " | |" : " |"));
    }
    return any ? Optional.of(line.toString()) : Optional.empty();
  }

  private static String cells(Row row) {
    if (!row.metric().isCompared()) {
      return " " + row.metric().show(row.value()) + " |";
    }
    String ratio =
        row.peer().equals(row.base()) ? "1" : String.format(Locale.ROOT, "**%.2f**", row.ratio());
    // One round has no range.
    String range =
        row.low() == row.high()
            ? ""
            : String.format(Locale.ROOT, " %.2f–%.2f", row.low(), row.high());
    return " " + row.metric().show(row.value()) + " | " + ratio + range + " |";
  }

  static String shown(String size) {
    return size.matches("\\d+") ? String.format(Locale.ROOT, "%,d", Long.parseLong(size)) : size;
  }
}
