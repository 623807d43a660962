// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/// Runs contenders side by side, in turns, again and again. What disturbs the machine disturbs all of them alike, so of a round only
/// the ratios count. Those that cannot be started are left out, and named.
final class Contest {
  /// How long a server has to become warm. On a machine that is busy with much else it is not waited for longer.
  static final long WARM_UP_NANOS = 12_000_000_000L;

  private final ContestOptions options;
  private final Path logs;

  Contest(ContestOptions options) throws IOException {
    this.options = options;
    this.logs = Files.createDirectories(options.place().resolve("logs"));
  }

  /// A case, which has a title, and a unit of work.
  Result open(String name, String title, String unit) throws IOException {
    Result result = new Result(options.script() + "-" + name);
    result.say(Result.TITLE, title);
    result.say(Result.UNIT, unit);
    result.say(Result.COMMAND, options.commandLine());
    result.say(Result.MACHINE, Machine.told());
    result.say(Result.LOAD, Machine.loadAverage());
    result.say(Result.DATE, LocalDate.now(ZoneOffset.UTC).toString());
    result.say(Result.ROUNDS, String.valueOf(options.rounds()));
    return result;
  }

  /// Prints what was found, and keeps it if it is the whole case.
  void close(Result result) throws IOException {
    if (result.rows().isEmpty()) {
      progress("%s: nobody was there to be compared", result.name());
      return;
    }
    String began = result.said(Result.LOAD);
    result.say(Result.LOAD, began + " when it began, " + Machine.loadAverage() + " at its end");
    System.out.println(new Table(result).markdown());
    if (options.areWhole()) {
      result.write(options.results());
    }
  }

  /// All servers are started, on one core, and warmed up; then each has the load, on the other core, for a short time in turn.
  void warm(
      Result result,
      String size,
      List<Contender> contenders,
      Transport transport,
      Load warmUp,
      Load load)
      throws IOException, InterruptedException {
    List<RunningServer> servers = new ArrayList<>();
    List<Standing> standings = new ArrayList<>();
    try {
      for (Contender contender : present(result, contenders)) {
        progress("%s, %s: warming up %s", result.name(), size, contender.label());
        RunningServer server = start(contender, transport);
        servers.add(server);
        standings.add(new Standing(contender));
        standings.getLast().add(Metric.IDLE, server.residentBytes());
        warmUp.run(server);
      }
      for (int round = 1; round <= options.rounds(); round++) {
        progress("%s, %s: round %d of %d", result.name(), size, round, options.rounds());
        for (int i = 0; i < servers.size(); i++) {
          standings.get(i).add(load.run(servers.get(i)));
        }
      }
      for (int i = 0; i < servers.size(); i++) {
        standings.get(i).add(Metric.LOADED, servers.get(i).residentBytes());
      }
    } finally {
      servers.forEach(RunningServer::close);
    }
    end(result, size, standings);
  }

  /// Each server is started for each round anew: what is measured is its beginning.
  void fresh(Result result, String size, List<Contender> contenders, Transport transport, Load load)
      throws IOException, InterruptedException {
    List<Standing> standings = standings(present(result, contenders));
    for (int round = 1; round <= options.rounds(); round++) {
      progress("%s, %s: round %d of %d", result.name(), size, round, options.rounds());
      for (Standing standing : standings) {
        try (RunningServer server = start(standing.contender(), transport)) {
          standing.add(load.run(server));
        }
      }
    }
    end(result, size, standings);
  }

  /// A whole case of programs that measure themselves, and print a line for each metric. The command's argument is the size.
  void programs(Result result, String cores, List<Contender> contenders, String... sizes)
      throws IOException, InterruptedException {
    for (String size : options.sizesOr(sizes)) {
      compare(result, cores, contenders, size);
    }
    close(result);
  }

  private void compare(Result result, String cores, List<Contender> contenders, String size)
      throws IOException, InterruptedException {
    List<Standing> standings = standings(present(result, contenders));
    for (int round = 1; round <= options.rounds(); round++) {
      progress("%s, %s: round %d of %d", result.name(), size, round, options.rounds());
      for (Standing standing : standings) {
        List<String> command = standing.contender().command().apply(size);
        standing.add(Sample.ofLines(Load.output(cores, command)));
      }
    }
    end(result, size, standings);
  }

  private RunningServer start(Contender contender, Transport transport)
      throws IOException, InterruptedException {
    return RunningServer.start(contender, transport, options.serverCore(), logs);
  }

  private static List<Standing> standings(List<Contender> contenders) {
    return contenders.stream().map(Standing::new).toList();
  }

  private List<Contender> present(Result result, List<Contender> contenders) {
    List<Contender> present = new ArrayList<>();
    for (Contender contender : options.choose(contenders)) {
      if (contender.missing() == null) {
        present.add(contender);
      } else {
        progress("%s: without %s, %s", result.name(), contender.label(), contender.missing());
        result.say(Result.MISSING + contender.label(), contender.missing());
      }
    }
    return present;
  }

  private static void end(Result result, String size, List<Standing> standings) {
    int disturbed = standings.stream().mapToInt(Standing::disturbed).sum();
    String before = result.said(Result.DISTURBED);
    if (disturbed > 0) {
      int sum = disturbed + (before.isEmpty() ? 0 : Integer.parseInt(before.split(" ", 2)[0]));
      result.say(Result.DISTURBED, sum + " samples had less than 80 % of their core");
    }
    result.add(size, standings);
  }

  private static void progress(String format, Object... arguments) {
    System.err.println(String.format(format, arguments));
  }
}
