// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// The one table, in Markdown, and what one must know to read it.
final class EchoReport {
  private final EchoOptions options;
  private final Map<EchoPeer, String> descriptions = new EnumMap<>(EchoPeer.class);
  private final List<String> rows = new ArrayList<>();
  private long disturbed;

  EchoReport(EchoOptions options) {
    this.options = options;
  }

  /// What the server said it is.
  void describe(EchoPeer peer, String description) {
    descriptions.put(peer, description);
  }

  void add(EchoCase load, List<EchoRound> rounds) {
    disturbed += rounds.stream().filter(EchoRound::isDisturbed).count();
    EchoPeer base = options.peers().getFirst();
    for (EchoPeer peer : options.peers()) {
      double[] ratios =
          rounds.stream().mapToDouble(round -> round.ratio(peer, base)).sorted().toArray();
      rows.add(
          "| %s | %s | %.2f | %.2f | %.2f–%.2f | %.0f | %.0f | %,.0f |"
              .formatted(
                  load,
                  peer.label(),
                  median(rounds, peer, EchoSample::cpuPerMessage) / 1e3,
                  median(ratios),
                  ratios[0],
                  ratios[ratios.length - 1],
                  median(rounds, peer, EchoSample::p50) / 1e3,
                  median(rounds, peer, EchoSample::p99) / 1e3,
                  median(rounds, peer, EchoSample::messagesPerSecond)));
    }
  }

  void print(PrintStream out) throws IOException {
    out.println();
    out.println("    " + options.commandLine());
    out.println();
    out.println(
        "| case | server | CPU/message, µs | × %s | range | p50, µs | p99, µs | messages/s |"
            .formatted(options.peers().getFirst().label()));
    out.println("|---|---|--:|--:|--:|--:|--:|--:|");
    rows.forEach(out::println);
    out.println();
    descriptions.forEach((peer, text) -> out.println("- " + peer.label() + ": " + text));
    out.printf(
        "- %s, Linux %s; server on core %d, load on core %d; load average now %s%n",
        processor(),
        System.getProperty("os.version"),
        options.serverCore(),
        options.loadCore(),
        Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0]);
    out.printf(
        "- %d × %d rounds of %d ms after %,d messages; medians, and the ratio's range over the"
            + " rounds%n",
        options.batches(), options.rounds(), options.millis(), options.warmUpMessages());
    if (disturbed > 0) {
      out.printf("- other processes took a core in %d of the rounds: repeat it%n", disturbed);
    }
  }

  private static double median(
      List<EchoRound> rounds, EchoPeer peer, ToDoubleFunction<EchoSample> value) {
    return median(
        rounds.stream()
            .mapToDouble(round -> value.applyAsDouble(round.of(peer)))
            .sorted()
            .toArray());
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
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
