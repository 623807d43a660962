// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// Bars of one size and metric: a contender each, shortest first, with its ratio and, as a thin line, the ratio's range. An SVG that is as
/// readable on a light page as on a dark one.
final class Plot {
  private static final int LEFT = 160;
  private static final int RIGHT = 120;
  private static final int WIDTH = 720;
  private static final int BAR = 18;
  private static final int STEP = 26;
  private static final int TOP = 44;

  /// Colours by the reader's choice: of text, of our bars, of theirs, of ranges.
  private static final String STYLE =
      """
      <style>
      text { font: 13px system-ui, sans-serif; fill: #1f2328; }
      .title { font-weight: 600; }
      .ours { fill: #0969da; } .theirs { fill: #afb8c1; } .base { fill: #6e7781; }
      .range, .one { stroke: #1f2328; stroke-width: 1.5; } .one { stroke-dasharray: 3 3; opacity: .6; }
      @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3; }
        .ours { fill: #4493f8; } .theirs { fill: #545d68; } .base { fill: #8b949e; }
        .range, .one { stroke: #e6edf3; }
      }
      </style>
      """;

  private final String title;
  private final List<Row> rows;
  private final double most;

  private Plot(String title, List<Row> rows) {
    this.title = title;
    this.rows = rows;
    // One that is far off must not make all others look alike.
    double largest = rows.stream().mapToDouble(Row::ratio).max().orElse(1);
    double middle = rows.get(rows.size() / 2).ratio();
    this.most = Math.min(largest, Math.max(1.2, 3 * middle)) * 1.05;
  }

  static String of(Result result, String size, Metric metric) {
    List<Row> rows =
        result.rows().stream()
            .filter(row -> row.size().equals(size) && row.metric() == metric)
            .sorted(Comparator.comparingDouble(Row::ratio))
            .toList();
    String title =
        "%s: %s, %s × %s, less is better"
            .formatted(subject(result), Table.shown(size), metric.title(), rows.getFirst().base());
    return new Plot(title, rows).svg();
  }

  private static String subject(Result result) {
    return result.said(Result.TITLE).split(", by ", 2)[0];
  }

  private String svg() {
    int height = TOP + rows.size() * STEP + 8;
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n"
            .formatted(WIDTH, height, title));
    svg.append(STYLE);
    svg.append("<text class=\"title\" x=\"8\" y=\"20\">%s</text>%n".formatted(title));
    for (int i = 0; i < rows.size(); i++) {
      bar(svg, rows.get(i), TOP + i * STEP);
    }
    svg.append(
        "<line class=\"one\" x1=\"%s\" x2=\"%1$s\" y1=\"%d\" y2=\"%d\"/>%n"
            .formatted(at(1), TOP - 8, height - 4));
    return svg.append("</svg>\n").toString();
  }

  private void bar(StringBuilder svg, Row row, int y) {
    String kind =
        row.peer().startsWith("couv") ? "ours" : row.peer().equals(row.base()) ? "base" : "theirs";
    int middle = y + BAR / 2;
    svg.append(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n"
            .formatted(LEFT - 8, middle + 5, row.peer()));
    svg.append(
        "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%s\" height=\"%d\" rx=\"2\"/>%n"
            .formatted(kind, LEFT, y, text(x(row.ratio()) - LEFT), BAR));
    if (row.high() > row.low()) {
      svg.append(
          "<line class=\"range\" x1=\"%s\" x2=\"%s\" y1=\"%d\" y2=\"%3$d\"/>%n"
              .formatted(at(row.low()), at(row.high()), middle));
    }
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\">%.2f  (%s)</text>%n",
            WIDTH - RIGHT + 6,
            middle + 5,
            row.ratio(),
            row.metric().show(row.value())));
  }

  private String at(double ratio) {
    return text(x(ratio));
  }

  private double x(double ratio) {
    return LEFT + (WIDTH - LEFT - RIGHT) * Math.min(ratio, most) / most;
  }

  private static String text(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }
}
