// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The Redis example beside the real one, under the load of `redis-benchmark`. Started by `bench/redis`, which also says what the
/// options are.
final class RedisContest {
  private static final int WARM_UP_REQUESTS = 500_000;

  /// So that almost all of the 100,000 keys are there.
  private static final int FILLING_REQUESTS = 500_000;

  private final ContestOptions options;

  private RedisContest(ContestOptions options) {
    this.options = options;
  }

  static void main(String[] args) throws Exception {
    ContestOptions options;
    try {
      options = ContestOptions.parse("set,get,set-16,get-16", "--requests", 200_000, args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "; bench/redis --help lists the options");
      System.exit(2);
      return;
    }
    new RedisContest(options).run();
  }

  private void run() throws IOException, InterruptedException {
    Contest contest = new Contest(options);
    ContestReport report = new ContestReport(options);
    for (String name : options.cases()) {
      String[] parts = name.split("-", 2);
      String command = parts[0];
      int pipelined = parts.length > 1 ? Integer.parseInt(parts[1]) : 1;
      // What is so quick that the clock's ticks would show is done more often.
      int requests = pipelined > 1 ? 10 * options.amount() : options.amount();
      Set<RunningServer> filled = new HashSet<>();
      List<Standing> standings =
          contest.run(
              name,
              options.choose(servers()),
              WARM_UP_REQUESTS,
              server -> {
                // While it is warmed up: what is got must be there.
                if (filled.add(server)) {
                  load(server, "set", 16, FILLING_REQUESTS);
                }
                return load(server, command, pipelined, requests);
              });
      String told = pipelined > 1 ? ", " + pipelined + " pipelined" : ", one at a time";
      report.add(
          ContestReport.Kind.OPERATIONS,
          command.toUpperCase(java.util.Locale.ROOT) + told,
          standings);
    }
    report.print(System.out);
  }

  private List<Contender> servers() {
    String couv = options.root().resolve("couv").toString();
    String script = options.root().resolve("examples/redis.java").toString();
    return List.of(
        Contender.ofProgram(
            "redis-server",
            "redis-server",
            List.of("redis-server", "--version"),
            port ->
                Stream.of(
                        "redis-server --bind 127.0.0.1 --appendonly no --io-threads 1 --port "
                            + port)
                    .flatMap(
                        line -> Stream.concat(Stream.of(line.split(" ")), Stream.of("--save", "")))
                    .toList()),
        new Contender(
            "couv",
            "examples/redis.java by couv run, JDK " + Runtime.version(),
            port -> List.of(couv, "run", script, String.valueOf(port)),
            null));
  }

  private double load(RunningServer server, String command, int pipelined, int requests)
      throws IOException, InterruptedException {
    String line =
        "redis-benchmark -h 127.0.0.1 -p %d -t %s -n %d -c 50 -d 3 -r 100000 -P %d -q"
            .formatted(server.port(), command, requests, pipelined);
    String said = Load.output(options.loadCore(), List.of(line.split(" ")));
    if (!said.contains("requests per second")) {
      throw new IOException(server.contender().label() + " was not served well: " + said);
    }
    return requests;
  }
}
