// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.inspect.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What `couv top` shows at one moment, out of the lines that the probe answers with.
final class TopFrame {
  private final Program program;
  private final List<String[]> facts;

  TopFrame(Program program, String answer) {
    this.program = program;
    this.facts = answer.lines().map(line -> line.split("\t", -1)).toList();
  }

  /// As many lines as fit, none of them longer than the columns. Loops first; the rest shares what is left.
  List<String> lines(int columns, int rows) {
    List<String> lines = new ArrayList<>();
    String engine = of("engine").isEmpty() ? "" : of("engine").getFirst()[1];
    lines.add(
        "process %d, up %s, %s engine: %s"
            .formatted(program.pid(), PsCommand.words(program.uptime()), engine, program.title()));
    lines.add("");
    lines.add(
        row(
            "COROUTINE",
            "READY",
            "HANDLES",
            "REQS",
            "TURN/S",
            "BUSY",
            "TURN",
            "P99",
            "MAX",
            "LAG",
            "LOOP"));
    for (String[] loop : of("loop")) {
      lines.add(loop(loop));
    }
    if (of("loop").isEmpty()) {
      lines.add("no loop is open");
    }
    List<List<String>> parts = List.of(awaits(), busiest(), handles());
    int left = rows - lines.size() - 1;
    for (int part = 0; part < parts.size() && left > 3; part++) {
      List<String> all = parts.get(part);
      if (all.size() > 1) {
        int room = Math.min(all.size(), Math.max(3, left / (parts.size() - part) - 1));
        lines.add("");
        lines.addAll(all.subList(0, room));
        left -= room + 1;
      }
    }
    return lines.stream().limit(rows).map(line -> clean(line, columns)).toList();
  }

  /// Whether every loop has been watched for a second.
  boolean isComplete() {
    return of("loop").stream().noneMatch(loop -> loop[8].equals("-1"));
  }

  private List<String[]> of(String kind) {
    return facts.stream().filter(fact -> fact[0].equals(kind)).toList();
  }

  private static String loop(String[] fact) {
    return row(
        fact[4],
        fact[5],
        fact[6],
        fact[7],
        fact[8].equals("-1") ? "-" : fact[8],
        Long.parseLong(fact[9]) / 10 + "%",
        time(Long.parseLong(fact[10])),
        time(Long.parseLong(fact[11])),
        time(Long.parseLong(fact[12])),
        time(Long.parseLong(fact[13])),
        fact[1] + " " + fact[2] + (fact[3].equals("running") ? "" : " " + fact[3]));
  }

  /// The numbers and a short name fit into eighty columns; what may be long, the name, comes last.
  private static String row(Object... cells) {
    return "%9s %5s %7s %4s %6s %4s %7s %7s %7s %7s %s".formatted(cells);
  }

  private List<String> awaits() {
    List<String> lines = new ArrayList<>();
    lines.add("%9s %9s  %s".formatted("COROUTINE", "LONGEST", "AWAITS"));
    of("await").stream()
        .sorted(Comparator.comparingLong((String[] fact) -> -Long.parseLong(fact[2])))
        .map(
            fact -> "%9s %9s  %s".formatted(fact[2], time(1000 * Long.parseLong(fact[3])), fact[1]))
        .forEach(lines::add);
    return lines;
  }

  private List<String> busiest() {
    List<String> lines = new ArrayList<>();
    lines.add("%9s  %s".formatted("BUSY", "BUSIEST"));
    of("busy").stream()
        .filter(fact -> Long.parseLong(fact[3]) > 0)
        .sorted(Comparator.comparingLong((String[] fact) -> -Long.parseLong(fact[3])))
        .map(fact -> "%8.1f%%  %s".formatted(Long.parseLong(fact[3]) / 10.0, fact[2]))
        .forEach(lines::add);
    return lines;
  }

  private List<String> handles() {
    Map<String, Long> kinds = new LinkedHashMap<>();
    of("handle").forEach(fact -> kinds.merge(fact[1], Long.parseLong(fact[2]), Long::sum));
    List<String> lines = new ArrayList<>();
    lines.add("%9s  %s".formatted("COUNT", "HANDLES"));
    kinds.forEach((kind, count) -> lines.add("%9d  %s".formatted(count, kind)));
    return lines;
  }

  /// Microseconds, in the unit that is read most easily.
  static String time(long micros) {
    if (micros < 1000) {
      return micros + " µs";
    }
    if (micros < 100_000) {
      return "%.1f ms".formatted(micros / 1000.0);
    }
    if (micros < 1_000_000) {
      return micros / 1000 + " ms";
    }
    return micros < 600_000_000
        ? "%.1f s".formatted(micros / 1_000_000.0)
        : "%.1f h".formatted(micros / 3_600_000_000.0);
  }

  /// A name may hold anything, also what a terminal would take for a command.
  private static String clean(String line, int columns) {
    String shown = line.replaceAll("\\p{Cntrl}", "·");
    return shown.length() <= columns ? shown : shown.substring(0, Math.max(0, columns - 1)) + "…";
  }
}
