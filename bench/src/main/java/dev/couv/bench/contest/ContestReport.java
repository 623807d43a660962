// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Tables in Markdown, one for each kind of case, and what one must know to read them.
final class ContestReport {
  private final ContestOptions options;
  private final Map<Kind, List<String>> rows = new LinkedHashMap<>();
  private final Map<String, String> descriptions = new LinkedHashMap<>();

  /// What is counted, and which way.
  enum Kind {
    /// Less is better.
    REQUESTS("connections", "CPU/request, µs", "requests/s") {
      @Override
      double value(double cpuNanos) {
        return cpuNanos / 1e3;
      }

      @Override
      double ratio(double cost) {
        return cost;
      }
    },
    /// More is better.
    MEBIBYTES("file", "MiB/CPU s", "MiB/s") {
      @Override
      double value(double cpuNanos) {
        return 1e9 / cpuNanos;
      }

      @Override
      double ratio(double cost) {
        return 1 / cost;
      }
    },
    /// More is better.
    OPERATIONS("case", "1,000 operations/CPU s", "operations/s") {
      @Override
      double value(double cpuNanos) {
        return 1e6 / cpuNanos;
      }

      @Override
      double ratio(double cost) {
        return 1 / cost;
      }
    };

    private final String subject;
    private final String unit;
    private final String rate;

    Kind(String subject, String unit, String rate) {
      this.subject = subject;
      this.unit = unit;
      this.rate = rate;
    }

    /// What is told of so much CPU time for one.
    abstract double value(double cpuNanos);

    /// What is told of so much more CPU time than the first server's.
    abstract double ratio(double cost);
  }

  ContestReport(ContestOptions options) {
    this.options = options;
  }

  /// The first standing is what the others are measured by.
  void add(Kind kind, String name, List<Standing> standings) {
    Standing base = standings.getFirst();
    List<String> table =
        rows.computeIfAbsent(
            kind,
            _ -> new ArrayList<>(List.of(head(kind, base), "|---|---|--:|--:|--:|--:|--:|--:|")));
    for (Standing standing : standings) {
      double[] costs = standing.costs(base);
      double one = kind.ratio(costs[0]);
      double other = kind.ratio(costs[costs.length - 1]);
      table.add(
          "| %s | %s | %.2f | %.2f | %.2f–%.2f | %,.0f | %.0f | %.0f |"
              .formatted(
                  name,
                  standing.contender().label(),
                  kind.value(standing.cpuPerUnit()),
                  kind.ratio(Standing.median(costs)),
                  Math.min(one, other),
                  Math.max(one, other),
                  standing.unitsPerSecond(),
                  standing.idleMebibytes(),
                  standing.loadedMebibytes()));
      descriptions.put(standing.contender().label(), standing.contender().description());
    }
  }

  private static String head(Kind kind, Standing base) {
    return "| %s | server | %s | × %s | range | %s | idle, MiB | loaded, MiB |"
        .formatted(kind.subject, kind.unit, base.contender().label(), kind.rate);
  }

  void print(PrintStream out) throws IOException {
    out.println();
    out.println("    " + options.commandLine());
    for (List<String> table : rows.values()) {
      out.println();
      table.forEach(out::println);
    }
    out.println();
    descriptions.forEach((label, text) -> out.println("- " + label + ": " + text));
    out.printf(
        "- %s, Linux %s; server on core %d, load on core %d; load average now %s%n",
        processor(),
        System.getProperty("os.version"),
        options.serverCore(),
        options.loadCore(),
        Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0]);
    out.printf("- %d rounds; medians, and the ratio's range over the rounds%n", options.rounds());
  }

  private static String processor() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 2))
          .orElse(System.getProperty("os.arch"));
    }
  }
}
