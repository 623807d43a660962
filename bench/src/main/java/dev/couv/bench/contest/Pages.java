// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Renders `docs/benchmarks.md` and its plots from `bench/results`: `ROOT`. Started by `bench/render`.
final class Pages {
  private static final String INTRODUCTION =
      """
      # Benchmarks

      Rendered by `bench/render` from the files of `bench/results`, each of which one command has made: the last run of each is here, good or bad.
      A ratio is to the first contender of its table, in the same round: **median**, and range over the rounds. Less is better in every column, so above 1.00 is a loss.
      A bar may be to any other contender: then the figure is the ratio of both ratios to the first one, and has no range.
      Servers have one core and the load the other; CPU is that of the whole process, with its compiler and collector. How it is measured, and what was learnt, is in
      [internals/speed.md](internals/speed.md).

      Ratios of CPU time hold on a busy machine as far as their range says; times on the wall, p50 and p99 hold on a quiet one only. Each table tells the load average of its run.

      """;

  private final Path root;
  private final Path images;

  private Pages(Path root) {
    this.root = root;
    this.images = root.resolve("docs/benchmarks");
  }

  static void main(String[] args) throws Exception {
    new Pages(Path.of(args[0])).render();
  }

  private void render() throws IOException {
    Files.createDirectories(images);
    List<Result> results = Result.all(root.resolve("bench/results"));
    StringBuilder page = new StringBuilder(INTRODUCTION);
    page.append(new BarTable(Bar.all(root), results).markdown());
    page.append("## The tables\n\n");
    for (Result result : results) {
      page.append("- [")
          .append(result.said(Result.TITLE))
          .append("](#")
          .append(result.name())
          .append(")\n");
    }
    for (Result result : results) {
      page.append("\n<a id=\"").append(result.name()).append("\"></a>\n\n## ");
      page.append(result.said(Result.TITLE)).append("\n\n");
      Metric first = result.metrics().iterator().next();
      for (Picture picture : pictures(result, first)) {
        Files.writeString(images.resolve(picture.file()), picture.svg());
        page.append("![%s](benchmarks/%s)%n%n".formatted(picture.text(), picture.file()));
      }
      page.append(new Table(result).markdown());
      Growth.of(result, first).ifPresent(table -> page.append("\n").append(table));
    }
    Files.writeString(root.resolve("docs/benchmarks.md"), page);
  }

  private record Picture(String file, String text, String svg) {}

  private static List<Picture> pictures(Result result, Metric metric) {
    List<Picture> pictures = new ArrayList<>();
    for (String size : result.sizes()) {
      String file = "%s-%s-%s.svg".formatted(result.name(), size, metric.key());
      String text =
          "%s, %s at %s".formatted(result.said(Result.TITLE), metric.title(), Table.shown(size));
      pictures.add(new Picture(file, text, Plot.of(result, size, metric)));
    }
    return pictures;
  }
}
