// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.cluster;

import dev.couv.cluster.Call;
import dev.couv.cluster.Cluster;
import dev.couv.cluster.ClusterOptions;
import dev.couv.cluster.ClusterTopic;
import dev.couv.cluster.Codec;
import dev.couv.cluster.QueueOptions;
import dev.couv.cluster.Served;
import dev.couv.cluster.TopicReceiver;
import dev.couv.cluster.WorkQueue;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.sync.Promise;
import java.time.Duration;

/// By Couv: two clusters in one loop.
@SuppressWarnings("try") // some are only there
record CouvSide(String url) implements ClusterCost.Side {
  private static final int SIZE = 100;
  private static final ClusterOptions OPTIONS =
      ClusterOptions.DEFAULT.withBuffer(1 << 20).withConnectTimeout(Duration.ofSeconds(30));

  @Override
  public void publish(int count, int bytes) throws Exception {
    Loop.run(
        () -> {
          try (Cluster one = Cluster.connect(OPTIONS, url);
              Cluster other = Cluster.connect(OPTIONS, url)) {
            ClusterTopic<byte[]> topic = one.topic("bench", Codec.bytes());
            try (TopicReceiver<byte[]> receiver =
                other.<byte[]>topic("bench", Codec.bytes()).subscribe()) {
              Coroutine<Void> heard =
                  Coroutine.spawn(
                      () -> {
                        for (int i = 0; i < count; i++) {
                          receiver.receive();
                        }
                      });
              byte[] message = new byte[bytes];
              for (int i = 0; i < count; i++) {
                topic.publish(message);
              }
              heard.await();
            }
          }
        });
  }

  @Override
  public void queue(int count, int atOnce) throws Exception {
    String name = "bench" + System.nanoTime();
    QueueOptions ahead = QueueOptions.DEFAULT.withPrefetch(4 * atOnce);
    Loop.run(
        () -> {
          try (Cluster one = Cluster.connect(OPTIONS, url);
              Cluster other = Cluster.connect(OPTIONS, url);
              WorkQueue<byte[]> from = one.queue(name, Codec.bytes());
              WorkQueue<byte[]> to = other.queue(name, Codec.bytes(), ahead)) {
            int[] done = new int[1];
            Promise<Boolean> all = new Promise<>();
            Coroutine<Void> work =
                Coroutine.spawn(
                    () ->
                        to.work(
                            atOnce,
                            each -> {
                              if (++done[0] == count) {
                                all.complete(true);
                              }
                            }));
            each(count, atOnce, i -> from.put(new byte[SIZE]));
            all.await();
            work.cancel();
          }
        });
  }

  private interface Step {
    void run(int number) throws Exception;
  }

  private static void each(int count, int atOnce, Step step) throws Exception {
    try (Scope scope = Scope.open()) {
      for (int s = 0; s < atOnce; s++) {
        int first = s;
        scope.spawn(
            () -> {
              for (int i = first; i < count; i += atOnce) {
                step.run(i);
              }
            });
      }
    }
  }

  @Override
  public long[] call(int count, int atOnce) throws Exception {
    long[] times = new long[count];
    calling(
        call -> {
          byte[] message = new byte[SIZE];
          each(
              count,
              atOnce,
              i -> {
                long start = System.nanoTime();
                call.run(message);
                times[i] = System.nanoTime() - start;
              });
        });
    return times;
  }

  private interface Calling {
    void run(Call<byte[], byte[]> call) throws Exception;
  }

  private void calling(Calling calling) throws Exception {
    Loop.run(
        () -> {
          try (Cluster one = Cluster.connect(OPTIONS, url);
              Cluster other = Cluster.connect(OPTIONS, url);
              Served served = other.serve("bench", Codec.bytes(), Codec.bytes(), each -> each)) {
            calling.run(one.call("bench", Codec.bytes(), Codec.bytes()));
          }
        });
  }
}
