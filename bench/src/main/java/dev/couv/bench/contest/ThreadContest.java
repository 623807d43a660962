// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import dev.couv.bench.costs.ChildProgram;
import dev.couv.bench.costs.ThreadsProgram;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/// Other threads and processes, beside what the JDK has for them, on both cores. Started by `bench/threads`, which also says what
/// the options are.
final class ThreadContest {
  private final ContestOptions options;
  private final Contest contest;

  private ThreadContest(ContestOptions options) throws IOException {
    this.options = options;
    this.contest = new Contest(options);
  }

  static void main(String[] args) throws Exception {
    Comparison.start(
        "channel,submit,map,child",
        5,
        "",
        1,
        args,
        options -> {
          ThreadContest threads = new ThreadContest(options);
          for (String name : options.cases()) {
            threads.run(name);
          }
        });
  }

  private void run(String name) throws IOException, InterruptedException {
    switch (name) {
      case "channel" ->
          run(
              name,
              "Send and receive between two threads, by room of the channel",
              "item",
              between(name, "ArrayBlockingQueue, without room LinkedTransferQueue.transfer"),
              "0",
              "16",
              "1024");
      case "submit" ->
          run(
              name,
              "Submit tasks of 10 µs to a pool of two, by tasks at a time",
              "task",
              between(name, "ForkJoinPool"),
              "10",
              "100",
              "1000");
      case "map" ->
          run(
              name,
              "Map over a pool of two, tasks of 10 µs, by tasks at a time",
              "task",
              between(name, "ForkJoinPool"),
              "10",
              "100",
              "1000");
      case "child" ->
          run(
              name,
              "Start a child, take its output, await its end, by MiB that are resident",
              "child",
              children(),
              "0",
              "512",
              "2048");
      default -> throw new IllegalArgumentException("no such case: " + name);
    }
  }

  private void run(
      String name, String title, String unit, List<Contender> contenders, String... sizes)
      throws IOException, InterruptedException {
    Result result = contest.open(name, title, unit);
    contest.programs(result, options.bothCores(), contenders, sizes);
  }

  private static List<Contender> between(String name, String theirs) {
    return List.of(
        Contender.ofJava("jdk", theirs + ", " + Contender.jdk(), ThreadsProgram.class, name, "jdk"),
        Contender.ofJava("couv", "Couv, " + Contender.jdk(), ThreadsProgram.class, name, "couv"));
  }

  private static List<Contender> children() {
    List<String> flags =
        Stream.concat(Contender.ROOMY.stream(), Stream.of(Contender.OPEN)).toList();
    return List.of(
        Contender.ofJava(
            "jdk", "ProcessBuilder, " + Contender.jdk(), flags, ChildProgram.class, "jdk"),
        Contender.ofJava("couv", "Couv, " + Contender.jdk(), flags, ChildProgram.class, "couv"));
  }
}
