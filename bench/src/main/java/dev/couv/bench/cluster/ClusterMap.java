// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.cluster;

import dev.couv.cluster.Cluster;
import dev.couv.cluster.ClusterOptions;
import dev.couv.cluster.Codec;
import dev.couv.cluster.PoolOptions;
import dev.couv.cluster.WorkerPool;
import dev.couv.cluster.Working;
import dev.couv.coro.Loop;
import dev.couv.sync.Promise;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// What a task of a pool costs by the number of worker processes: processor time of whoever gives the tasks, and of the workers
/// together, without the compilers of the VM, and time on the wall. A task computes as much as the size says, always the same, so that
/// whatever more of it costs is the cluster's.
///
/// Workers are children of this program. They are warmed up with it, and tell what they took when they are asked.
///
/// `ClusterMap SIZE WORKERS URL`, which starts as many of `ClusterMap work URL SPACE`
@SuppressWarnings("try") // some are only there
public final class ClusterMap {
  private static final Codec<Integer> NUMBER = Codec.json(Integer.class);
  private static final long WARM_UP_NANOS = 15_000_000_000L;
  private static final String POOL = "bench";
  private static final int CONCURRENCY = 4;
  private static final int EMPTY_TASKS = 20_000;
  private static final int TASKS = 5_000;

  /// So many steps take about a microsecond.
  private static final int STEPS = 1_000;

  private ClusterMap() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("work")) {
      work(options(arguments[2]), arguments[1]);
      return;
    }
    int size = Integer.parseInt(arguments[0]);
    String space = "bench" + System.nanoTime();
    List<Worker> workers = new ArrayList<>();
    try {
      for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
        workers.add(Worker.start(arguments[2], space));
      }
      for (Worker worker : workers) {
        worker.asked(); // it is there when it answers
      }
      Loop.run(() -> map(options(space), arguments[2], size, workers));
    } finally {
      workers.forEach(Worker::close);
    }
    System.exit(0);
  }

  private static ClusterOptions options(String space) {
    return ClusterOptions.DEFAULT.withSpace(space).withConnectTimeout(Duration.ofSeconds(30));
  }

  // ---- giving tasks

  private static void map(ClusterOptions options, String url, int size, List<Worker> workers)
      throws Exception {
    List<Integer> tasks =
        IntStream.range(0, size == 0 ? EMPTY_TASKS : TASKS).mapToObj(_ -> size).toList();
    // A machine that is busy may keep a worker silent for long.
    PoolOptions patient = PoolOptions.DEFAULT.withSilence(Duration.ofMinutes(1));
    try (Cluster cluster = Cluster.connect(options, url);
        WorkerPool<Integer, Integer> pool = cluster.pool(POOL, NUMBER, NUMBER, patient)) {
      long warm = System.nanoTime() + WARM_UP_NANOS;
      do {
        pool.map(tasks);
      } while (System.nanoTime() - warm < 0);
      long theirs = taken(workers);
      long ours = ClusterCost.cpu();
      long start = System.nanoTime();
      pool.map(tasks);
      long time = System.nanoTime() - start;
      ours = ClusterCost.cpu() - ours;
      theirs = taken(workers) - theirs;
      double count = tasks.size();
      ClusterCost.say("cpu", (ours + theirs) / count);
      ClusterCost.say("caller", ours / count);
      ClusterCost.say("workers", theirs / count);
      ClusterCost.say("time", time / count);
    }
  }

  private static long taken(List<Worker> workers) throws IOException {
    long sum = 0;
    for (Worker worker : workers) {
      sum += worker.asked();
    }
    return sum;
  }

  /// A process that works on tasks, as this one knows it.
  private record Worker(Process process, BufferedReader answers, PrintStream questions) {
    static Worker start(String url, String space) throws IOException {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
      command.addAll(
          List.of(
              "-cp",
              System.getProperty("java.class.path"),
              ClusterMap.class.getName(),
              "work",
              url,
              space));
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      PrintStream questions =
          new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII);
      return new Worker(process, process.inputReader(StandardCharsets.US_ASCII), questions);
    }

    /// The processor time that it has taken. Blocks until it answers.
    long asked() throws IOException {
      questions.println();
      String said = answers.readLine();
      if (said == null) {
        throw new IOException("a worker has ended");
      }
      return Long.parseLong(said);
    }

    void close() {
      process.destroyForcibly();
    }
  }

  // ---- working on them

  private static void work(ClusterOptions options, String url) throws Exception {
    Loop.run(
        () -> {
          try (Cluster cluster = Cluster.connect(options, url);
              Working working =
                  cluster.work(POOL, NUMBER, NUMBER, CONCURRENCY, ClusterMap::compute)) {
            Promise<Boolean> over = Promise.outside(() -> {});
            Thread.ofPlatform().daemon().start(() -> answerUntilTheEnd(over));
            over.await();
          }
        });
    System.exit(0);
  }

  /// Until whoever started it has gone.
  private static void answerUntilTheEnd(Promise<Boolean> over) {
    try (BufferedReader questions =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      while (questions.readLine() != null) {
        System.out.println(ClusterCost.cpu());
      }
    } catch (IOException gone) {
      System.err.println(gone.getMessage());
    }
    over.complete(true);
  }

  private static int compute(int size) {
    long number = size;
    for (long i = 0; i < (long) size * STEPS; i++) {
      number = number * 6364136223846793005L + 1442695040888963407L;
    }
    return (int) (number >>> 32);
  }
}
