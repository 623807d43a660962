// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.coro.Loop;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;

/// What an [OtherProcess] runs: one who takes part in a cluster. It says "ready", and lives until
/// its standard input ends, or until it is killed.
@SuppressWarnings("try") // some are only there
final class ClusterProgram {
  private static final Codec<Integer> NUMBER = ServerFixture.NUMBER;
  private static final QueueOptions IMPATIENT =
      QueueOptions.DEFAULT.withPatience(Duration.ofSeconds(2));

  private ClusterProgram() {}

  public static void main(String[] arguments) throws Exception {
    Thread.ofPlatform().daemon().start(ClusterProgram::endWithInput);
    ClusterOptions options =
        ClusterOptions.DEFAULT.withSpace(arguments[1]).withConnectTimeout(Duration.ofMinutes(1));
    Loop.run(
        () -> {
          try (Cluster cluster = Cluster.connect(options, arguments[0])) {
            takePart(cluster, arguments[2]);
          }
        });
  }

  private static void endWithInput() {
    try {
      while (System.in.read() >= 0) {
        // until whoever started it has gone
      }
    } catch (IOException gone) {
      // likewise
    }
    Runtime.getRuntime().halt(0);
  }

  private static void takePart(Cluster cluster, String part) throws Exception {
    switch (part) {
      case "pool" -> stay(cluster.work("squares", NUMBER, NUMBER, 4, ClusterProgram::square));
      case "holding" -> stay(cluster.work("squares", NUMBER, NUMBER, 4, ClusterProgram::hold));
      case "call" -> stay(cluster.serve("stuck", NUMBER, NUMBER, ClusterProgram::hold));
      case "lease" -> stay(cluster.lease("leader", Duration.ofSeconds(2)));
      case "keys" -> {
        cluster.keys("numbers", NUMBER).put("x", 1);
        stay(cluster);
      }
      case "queue" -> {
        try (WorkQueue<Integer> queue = cluster.queue("numbers", NUMBER, IMPATIENT)) {
          say("ready");
          queue.forEach(job -> say("got " + job.value())); // and says nothing more of it
        }
      }
      case "chan" -> {
        try (ClusterChan<Integer> chan = cluster.chan("numbers", NUMBER)) {
          say("ready");
          chan.forEach(value -> say("got " + value));
        }
      }
      default -> throw new IllegalArgumentException(part);
    }
  }

  private static void stay(AutoCloseable part) throws Exception {
    try (part) {
      say("ready");
      Time.sleep(Duration.ofHours(1));
    }
  }

  private static int square(int number) {
    Time.sleep(Duration.ofMillis(5));
    return number * number;
  }

  /// Says that it has it, and never ends.
  private static int hold(int number) {
    say("has one");
    Time.sleep(Duration.ofHours(1));
    return number;
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
