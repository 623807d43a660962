// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import dev.couv.bench.cluster.ClusterCost;
import dev.couv.bench.cluster.ClusterMap;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/// What a message costs through Couv's clusters, beside the plain client of NATS used well by hand. Started by `bench/cluster`,
/// which also says what the options are, and has started the server.
final class ClusterContest {
  /// What the script says the server's address by.
  private static final String SERVER = "COUV_BENCH_NATS";

  /// Compilers that have nothing to do must not end: what they used is taken off.
  private static final List<String> FLAGS =
      List.of("-Xms512m", "-Xmx512m", "-XX:-UseDynamicNumberOfCompilerThreads", Contender.OPEN);

  private final ContestOptions options;
  private final Contest contest;

  private ClusterContest(ContestOptions options) throws IOException {
    this.options = options;
    this.contest = new Contest(options);
  }

  static void main(String[] args) throws Exception {
    Comparison.start(
        "publish,queue,call,map",
        5,
        "",
        1,
        args,
        options -> {
          ClusterContest clusters = new ClusterContest(options);
          for (String name : options.cases()) {
            clusters.run(name);
          }
        });
  }

  private void run(String name) throws IOException, InterruptedException {
    switch (name) {
      case "publish" -> run(name, "Publish and hear, by bytes of a message", "message", "100");
      case "queue" -> run(name, "Put, receive and acknowledge, by puts at a time", "value", "64");
      case "call" -> run(name, "Call and be answered, by calls at a time", "call", "1", "64");
      case "map" -> map();
      default -> throw new IllegalArgumentException("no such case: " + name);
    }
  }

  private void run(String name, String title, String unit, String... sizes)
      throws IOException, InterruptedException {
    Result result = contest.open(name, title, unit);
    List<Contender> contenders =
        List.of(
            program("jnats", "the plain client, jnats " + Contender.version("jnats"), name),
            program("couv", "Couv", name));
    contest.programs(result, options.bothCores(), contenders, sizes);
  }

  /// The same tasks for one, two and four workers: each a process, and so is whoever gives them.
  private void map() throws IOException, InterruptedException {
    Result result =
        contest.open(
            "map",
            "Map over worker processes, by microseconds of computing in a task, or nearly",
            "task");
    List<Contender> contenders = Stream.of(1, 2, 4).map(ClusterContest::workers).toList();
    contest.programs(result, options.bothCores(), contenders, "0", "200");
  }

  private static Contender workers(int count) {
    return Contender.ofJava(
        "couv-" + count,
        "Couv, "
            + count
            + (count == 1 ? " worker" : " workers")
            + ", four tasks at a time in each, "
            + Contender.jdk(),
        FLAGS,
        ClusterMap.class,
        Integer.toString(count),
        System.getenv(SERVER));
  }

  private static Contender program(String label, String description, String name) {
    return Contender.ofJava(
        label,
        description + ", " + Contender.jdk(),
        FLAGS,
        ClusterCost.class,
        label,
        name,
        System.getenv(SERVER));
  }
}
