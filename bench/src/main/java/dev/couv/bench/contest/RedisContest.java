// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
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
    Comparison.start(
        "set,get", 5, "--requests", 200_000, args, options -> new RedisContest(options).run());
  }

  private void run() throws IOException, InterruptedException {
    Contest contest = new Contest(options);
    for (String command : options.cases()) {
      String title =
          command.toUpperCase(Locale.ROOT) + ", 50 connections, by requests in a pipeline";
      Result result = contest.open(command, title, "operation");
      for (String size : options.sizesOr("1", "4", "16")) {
        int pipelined = Integer.parseInt(size);
        // What is so quick that the clock's ticks would show is done more often.
        int requests = pipelined > 1 ? 10 * options.amount() : options.amount();
        contest.warm(
            result,
            size,
            servers(),
            Transport.TCP,
            server -> warmUp(server, command, pipelined),
            Load.counted(server -> load(server, command, pipelined, requests)));
      }
      contest.close(result);
    }
  }

  /// What is got must be there.
  private Sample warmUp(RunningServer server, String command, int pipelined)
      throws IOException, InterruptedException {
    load(server, "set", 16, FILLING_REQUESTS);
    return Sample.counted(load(server, command, pipelined, WARM_UP_REQUESTS), 0, 0);
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
            "examples/redis.java by couv run, " + Contender.jdk(),
            port -> List.of(couv, "run", script, port),
            null));
  }

  private double load(RunningServer server, String command, int pipelined, int requests)
      throws IOException, InterruptedException {
    String line =
        "redis-benchmark -h 127.0.0.1 -p %s -t %s -n %d -c 50 -d 3 -r 100000 -P %d -q"
            .formatted(server.address(), command, requests, pipelined);
    String said = Load.output(options.loadCore(), List.of(line.split(" ")));
    if (!said.contains("requests per second")) {
      throw new IOException(server.contender().label() + " was not served well: " + said);
    }
    return requests;
  }
}
