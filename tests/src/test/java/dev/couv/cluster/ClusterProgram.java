// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.coro.Loop;
import dev.couv.time.Time;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Another process of a cluster: a worker of a pool, a receiver of a queue, or one of a channel. It
/// says "ready", and lives until its standard input ends, or until it is killed.
final class ClusterProgram {
  private static final Codec<Integer> NUMBER = Codec.json(Integer.class);

  private ClusterProgram() {}

  public static void main(String[] arguments) throws Exception {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // until whoever started it has gone
                }
              } catch (IOException gone) {
                // likewise
              }
              Runtime.getRuntime().halt(0);
            });
    ClusterOptions options =
        ClusterOptions.DEFAULT.withSpace(arguments[1]).withConnectTimeout(Duration.ofMinutes(1));
    Loop.run(
        () -> {
          try (Cluster cluster = Cluster.connect(options, arguments[0])) {
            switch (arguments[2]) {
              case "pool" -> work(cluster);
              case "holding" -> hold(cluster);
              case "queue" -> receive(cluster);
              case "chan" -> take(cluster);
              case "call" -> serve(cluster);
              default -> throw new IllegalArgumentException(arguments[2]);
            }
          }
        });
  }

  @SuppressWarnings("try") // it is only there
  private static void work(Cluster cluster) throws Exception {
    try (Working working =
        cluster.work(
            "squares",
            NUMBER,
            NUMBER,
            4,
            each -> {
              Time.sleep(Duration.ofMillis(5));
              return each * each;
            })) {
      System.out.println("ready");
      Time.sleep(Duration.ofHours(1));
    }
  }

  /// Takes tasks, says so, and never ends one.
  @SuppressWarnings("try") // it is only there
  private static void hold(Cluster cluster) throws Exception {
    try (Working working =
        cluster.work(
            "squares",
            NUMBER,
            NUMBER,
            4,
            each -> {
              System.out.println("has one");
              Time.sleep(Duration.ofHours(1));
              return each;
            })) {
      System.out.println("ready");
      Time.sleep(Duration.ofHours(1));
    }
  }

  /// Takes calls, says so, and never answers one.
  @SuppressWarnings("try") // it is only there
  private static void serve(Cluster cluster) throws Exception {
    try (Served served =
        cluster.serve(
            "stuck",
            NUMBER,
            NUMBER,
            each -> {
              System.out.println("has one");
              Time.sleep(Duration.ofHours(1));
              return each;
            })) {
      System.out.println("ready");
      Time.sleep(Duration.ofHours(1));
    }
  }

  private static void receive(Cluster cluster) throws Exception {
    try (WorkQueue<Integer> queue =
        cluster.queue(
            "numbers", NUMBER, QueueOptions.DEFAULT.withPatience(Duration.ofSeconds(2)))) {
      System.out.println("ready");
      for (Job<Integer> job : queue) {
        System.out.println("got " + job.value()); // and says nothing more of it
      }
    }
  }

  private static void take(Cluster cluster) throws Exception {
    try (ClusterChan<Integer> chan = cluster.chan("numbers", NUMBER)) {
      System.out.println("ready");
      for (int value : chan) {
        System.out.println("got " + value);
      }
    }
  }

  /// Starts it, and returns when it is ready.
  static Process start(String url, String space, String part) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx64m",
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            ClusterProgram.class.getName(),
            url,
            space,
            part));
    Process process = new ProcessBuilder(command).redirectError(new File("/dev/null")).start();
    String line = process.inputReader().readLine();
    if (!"ready".equals(line)) {
      process.destroyForcibly();
      throw new AssertionError("a process of the cluster says " + line);
    }
    return process;
  }
}
