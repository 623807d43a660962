// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.sync.Chan;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.SynchronousQueue;

/// What a round trip between two parties costs: there and back over two channels, or two queues. Run
/// by `bench/chan`; the last line is the warm one.
final class RoundTrips {
  private static final int TRIPS = 1_000_000;
  private static final int ROUNDS = 5;

  private RoundTrips() {}

  public static void main(String[] args) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      long cpu = cpuNanos();
      long start = System.nanoTime();
      switch (args[0]) {
        case "chan" -> Loop.run(RoundTrips::overChannels);
        case "select" -> Loop.run(RoundTrips::overSelects);
        case "queue" -> overQueues();
        default -> throw new IllegalArgumentException(args[0]);
      }
      System.out.printf(
          "%-6s %5d ns of processor, %5d ns of time a round trip%n",
          args[0], (cpuNanos() - cpu) / TRIPS, (System.nanoTime() - start) / TRIPS);
    }
  }

  private static void overChannels() {
    Chan<Integer> there = Chan.create(0);
    Chan<Integer> back = Chan.create(0);
    echo(there, back);
    for (int i = 0; i < TRIPS; i++) {
      there.send(i);
      back.receive();
    }
  }

  private static void overSelects() throws Exception {
    Chan<Integer> there = Chan.create(0);
    Chan<Integer> back = Chan.create(0);
    echo(there, back);
    var answer = back.receiving();
    var never = Chan.<Integer>create(0).receiving();
    for (int i = 0; i < TRIPS; i++) {
      there.send(i);
      Await.select(answer, never);
    }
  }

  private static void echo(Chan<Integer> there, Chan<Integer> back) {
    Coroutine.spawn(
        () -> {
          for (int i = 0; i < TRIPS; i++) {
            back.send(there.receive());
          }
        });
  }

  private static void overQueues() throws InterruptedException {
    SynchronousQueue<Integer> there = new SynchronousQueue<>();
    SynchronousQueue<Integer> back = new SynchronousQueue<>();
    Thread echo =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    for (int i = 0; i < TRIPS; i++) {
                      back.put(there.take());
                    }
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                });
    Thread caller =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    for (int i = 0; i < TRIPS; i++) {
                      there.put(i);
                      back.take();
                    }
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                });
    caller.join();
    echo.join();
  }

  private static long cpuNanos() {
    Optional<Duration> used = ProcessHandle.current().info().totalCpuDuration();
    return used.map(Duration::toNanos).orElse(0L);
  }
}
