// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import dev.couv.bench.costs.CostProgram;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/// What coroutines do inside a process, beside plain virtual threads and those of Kotlin on the same one core. Started by
/// `bench/costs`, which also says what the options are.
final class CostContest {
  /// The carriers that virtual threads have: one, as a loop.
  private static final List<String> ONE_CARRIER =
      List.of(
          "-Djdk.virtualThreadScheduler.parallelism=1",
          "-Djdk.virtualThreadScheduler.maxPoolSize=1");

  private final ContestOptions options;
  private final Contest contest;

  private CostContest(ContestOptions options) throws IOException {
    this.options = options;
    this.contest = new Contest(options);
  }

  static void main(String[] args) throws Exception {
    Comparison.start(
        "spawn,pause,channel,mutex,sleepers",
        5,
        "",
        1,
        args,
        options -> {
          CostContest costs = new CostContest(options);
          for (String name : options.cases()) {
            costs.run(name);
          }
        });
  }

  private void run(String name) throws IOException, InterruptedException {
    switch (name) {
      case "spawn" ->
          run(name, "Spawn and await, by coroutines at a time", "coroutine", "1", "100", "10000");
      case "pause" ->
          run(name, "Let others run, by coroutines that take turns", "switch", "2", "100", "10000");
      case "channel" ->
          run(
              name,
              "Send and receive in one loop, unbuffered, by pairs",
              "item",
              "1",
              "100",
              "10000");
      case "mutex" ->
          run(
              name,
              "Hand over a lock that others wait for, by coroutines",
              "hand-over",
              "2",
              "100",
              "1000");
      case "sleepers" ->
          run(
              name,
              "Asleep, by sleepers: heap of one, CPU to start and wake it",
              "sleeper",
              "10000",
              "100000",
              "1000000");
      default -> throw new IllegalArgumentException("no such case: " + name);
    }
  }

  private void run(String name, String title, String unit, String... sizes)
      throws IOException, InterruptedException {
    Result result = contest.open(name, title, unit);
    contest.programs(result, options.serverCore(), contenders(name), sizes);
  }

  private static List<Contender> contenders(String name) {
    String jdk = Contender.jdk();
    Contender threads =
        program(
            name,
            "jdk-virtual-threads",
            "one carrier, SynchronousQueue, fair ReentrantLock, " + jdk,
            "threads");
    Contender couv = program(name, "couv", "Couv, " + jdk, "couv");
    Contender kotlinx =
        program(
            name,
            "kotlinx",
            "kotlinx.coroutines %s, Kotlin %s, event loop of runBlocking, %s"
                .formatted(
                    Contender.version("kotlinx-coroutines-core-jvm"),
                    Contender.version("kotlin-stdlib"),
                    jdk),
            "kotlinx");
    return name.equals("channel")
        ? List.of(
            threads,
            couv,
            program(name, "jox", "Jox " + Contender.version("channels"), "jox"),
            kotlinx)
        : List.of(threads, couv, kotlinx);
  }

  private static Contender program(String name, String label, String description, String who) {
    List<String> flags =
        Stream.of(Contender.ROOMY, ONE_CARRIER, List.of(Contender.OPEN))
            .flatMap(List::stream)
            .toList();
    return Contender.ofJava(label, description, flags, CostProgram.class, name, who);
  }
}
