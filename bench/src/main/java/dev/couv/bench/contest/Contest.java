// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs servers side by side. All are started, on one core, and warmed up; then each has the load for a short time in turn, again
/// and again, with the load on another core. What disturbs the machine disturbs all of them alike, so of a round only the
/// ratios count.
final class Contest {
  private static final long SETTLE_MILLIS = 1000;

  private final ContestOptions options;
  private final Path logs;

  Contest(ContestOptions options) throws IOException {
    this.options = options;
    this.logs = Files.createDirectories(options.place().resolve("logs"));
  }

  /// One case, after so much to warm up: the standings in the order of the contenders. Those that cannot be started are left out, with a message.
  List<Standing> run(String name, List<Contender> contenders, double warmUp, Load load)
      throws IOException, InterruptedException {
    List<RunningServer> servers = new ArrayList<>();
    List<Standing> standings = new ArrayList<>();
    try {
      for (Contender contender : contenders) {
        if (contender.missing() != null) {
          progress("%s: skipping %s, %s", name, contender.label(), contender.missing());
          continue;
        }
        progress("%s: warming up %s", name, contender.label());
        RunningServer server = RunningServer.start(contender, options.serverCore(), logs);
        servers.add(server);
        Thread.sleep(SETTLE_MILLIS);
        standings.add(new Standing(contender, server.residentMebibytes()));
        // Counted in requests, because what a JIT compiler waits for is calls, not seconds. And in
        // several goes with new
        // connections each: what was entered before it was compiled stays interpreted.
        for (double done = 0; done < warmUp; ) {
          done += load.run(server);
        }
      }
      for (int round = 1; round <= options.rounds(); round++) {
        progress("%s: round %d of %d", name, round, options.rounds());
        for (int i = 0; i < servers.size(); i++) {
          standings.get(i).add(measure(servers.get(i), load));
        }
      }
      for (int i = 0; i < servers.size(); i++) {
        standings.get(i).endedWith(servers.get(i).residentMebibytes());
      }
    } finally {
      servers.forEach(RunningServer::close);
    }
    return standings;
  }

  private static Sample measure(RunningServer server, Load load)
      throws IOException, InterruptedException {
    long cpu = server.cpuNanos();
    long begin = System.nanoTime();
    double done = load.run(server);
    return new Sample(done, server.cpuNanos() - cpu, System.nanoTime() - begin);
  }

  private static void progress(String format, Object... arguments) {
    System.err.println(String.format(format, arguments));
  }
}
