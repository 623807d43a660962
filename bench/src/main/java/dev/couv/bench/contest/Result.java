// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What a comparison found in one case: a file of `bench/results`. Lines of `# key: value` say what one must know to read it; the rest is
/// a table with tabs between its columns.
final class Result {
  static final String TITLE = "title";
  static final String COMMAND = "command";
  static final String UNIT = "one";
  static final String DATE = "date";
  static final String LOAD = "load average";
  static final String MACHINE = "machine";
  static final String ROUNDS = "rounds";
  static final String DISTURBED = "disturbed";
  static final String PEER = "peer ";
  static final String MISSING = "missing ";

  private final String name;
  private final Map<String, String> head = new LinkedHashMap<>();
  private final List<Row> rows = new ArrayList<>();

  Result(String name) {
    this.name = name;
  }

  static Result parse(String name, List<String> lines) {
    Result result = new Result(name);
    for (String line : lines) {
      if (line.startsWith("# ")) {
        int colon = line.indexOf(": ");
        result.head.put(line.substring(2, colon), line.substring(colon + 2));
      } else if (!line.isBlank() && !line.equals(Row.HEAD)) {
        result.rows.add(Row.parse(line));
      }
    }
    return result;
  }

  static List<Result> all(Path directory) throws IOException {
    List<Result> results = new ArrayList<>();
    try (var files = Files.list(directory)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".tsv")).sorted().toList()) {
        results.add(parse(nameOf(file), Files.readAllLines(file)));
      }
    }
    return results;
  }

  static String nameOf(Path file) {
    return file.getFileName().toString().replace(".tsv", "");
  }

  void write(Path directory) throws IOException {
    List<String> lines = new ArrayList<>();
    head.forEach((key, value) -> lines.add("# " + key + ": " + value));
    lines.add(Row.HEAD);
    rows.forEach(row -> lines.add(row.line()));
    Files.createDirectories(directory);
    Files.write(directory.resolve(name + ".tsv"), lines);
  }

  String name() {
    return name;
  }

  void say(String key, String value) {
    head.put(key, value);
  }

  String said(String key) {
    return Objects.requireNonNullElse(head.get(key), "");
  }

  /// Keys without this beginning, and their values.
  Map<String, String> saidOf(String beginning) {
    Map<String, String> found = new LinkedHashMap<>();
    head.forEach(
        (key, value) -> {
          if (key.startsWith(beginning)) {
            found.put(key.substring(beginning.length()), value);
          }
        });
    return found;
  }

  /// The first standing is what the others are measured by.
  void add(String size, List<Standing> standings) {
    if (standings.isEmpty()) {
      return;
    }
    Standing base = standings.getFirst();
    for (Standing standing : standings) {
      for (Metric metric : standing.metrics()) {
        if (base.metrics().contains(metric)) {
          rows.add(standing.row(size, metric, base));
        }
      }
      say(PEER + standing.contender().label(), standing.contender().description());
    }
  }

  List<Row> rows() {
    return rows;
  }

  Optional<Row> find(String size, String peer, Metric metric) {
    return rows.stream()
        .filter(row -> row.size().equals(size) && row.peer().equals(peer))
        .filter(row -> row.metric() == metric)
        .findFirst();
  }

  List<String> sizes() {
    return rows.stream().map(Row::size).distinct().toList();
  }

  Set<Metric> metrics() {
    Set<Metric> found = new TreeSet<>(Comparator.naturalOrder());
    rows.forEach(row -> found.add(row.metric()));
    return found;
  }

  List<String> peers() {
    return rows.stream().map(Row::peer).distinct().toList();
  }
}
