// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.cluster;

import dev.couv.cluster.Cluster;
import dev.couv.cluster.Codec;
import dev.couv.cluster.WorkerPool;
import dev.couv.cluster.Working;
import dev.couv.coro.Loop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// What a task of a pool costs by the number of worker processes: each task waits for a
/// millisecond, so that processors do not matter.
///
/// `ClusterMap work URL`, or `ClusterMap map URL WORKERS COUNT`
public final class ClusterMap {
  private static final Codec<Integer> NUMBER = Codec.json(Integer.class);
  private static final int CONCURRENCY = 4;

  private ClusterMap() {}

  @SuppressWarnings("try") // some are only there
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("work")) {
      Loop.run(
          () -> {
            try (Cluster cluster = Cluster.connect(arguments[1]);
                Working working =
                    cluster.work(
                        "bench",
                        NUMBER,
                        NUMBER,
                        CONCURRENCY,
                        each -> {
                          Time.sleep(Duration.ofMillis(1));
                          return each;
                        })) {
              Time.sleep(Duration.ofMinutes(10));
            }
          });
      return;
    }
    List<Integer> tasks = IntStream.range(0, Integer.parseInt(arguments[3])).boxed().toList();
    Loop.run(
        () -> {
          try (Cluster cluster = Cluster.connect(arguments[1]);
              WorkerPool<Integer, Integer> pool = cluster.pool("bench", NUMBER, NUMBER)) {
            pool.map(tasks); // to warm up, and until all workers are there
            long start = System.nanoTime();
            pool.map(tasks);
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf(
                Locale.ROOT,
                "map      %s workers %7.0f tasks/s%n",
                arguments[2],
                tasks.size() / seconds);
          }
        });
  }
}
