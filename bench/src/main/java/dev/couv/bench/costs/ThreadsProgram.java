// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.costs;

import dev.couv.coro.Action;
import dev.couv.coro.Loop;
import dev.couv.pool.LoopPool;
import dev.couv.sync.Chan;
import dev.couv.sync.Promise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedTransferQueue;

/// What it costs to reach another thread: `SIZE CASE WHO`. Cases: `channel`, items with SIZE of room between two loops or two threads;
/// `submit` and `map`, tasks of 10 µs to a pool of two, SIZE at a time.
public final class ThreadsProgram {
  /// Many enough that it takes a second or so: without room each wakes somebody.
  private static final int ITEMS = 2_000_000;

  private static final int HANDED_OVER = 100_000;
  private static final int TASKS = 100_000;
  private static final int THREADS = 2;

  private ThreadsProgram() {}

  public static void main(String[] args) throws Exception {
    int size = Integer.parseInt(args[0]);
    switch (args[1] + " " + args[2]) {
      case "channel couv" -> items(size, items -> channel(size, items));
      case "channel jdk" -> items(size, items -> queue(size, items));
      case "submit couv" -> pool(size, false);
      case "map couv" -> pool(size, true);
      case "submit jdk" -> forkJoin(size, false);
      case "map jdk" -> forkJoin(size, true);
      default -> throw new IllegalArgumentException(args[1] + " " + args[2]);
    }
  }

  // ---- channels

  private static void items(int room, Stopwatch.Work work) throws Exception {
    int items = room == 0 ? HANDED_OVER : ITEMS;
    Stopwatch.measure(items, items, work);
  }

  private static void channel(int room, int items) throws Exception {
    Chan<Integer> channel = Chan.create(room);
    FutureTask<Void> sender =
        started(
            () ->
                Loop.run(
                    () -> {
                      for (int i = 0; i < items; i++) {
                        channel.send(i);
                      }
                    }));
    Loop.run(
        () -> {
          for (int i = 0; i < items; i++) {
            channel.receive();
          }
        });
    sender.get();
  }

  /// What is bounded as the channel is: without room each item is handed over.
  private static void queue(int room, int items) throws Exception {
    if (room == 0) {
      LinkedTransferQueue<Integer> meeting = new LinkedTransferQueue<>();
      pass(items, meeting::transfer, meeting::take);
    } else {
      ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(room);
      pass(items, queue::put, queue::take);
    }
  }

  private interface Giving {
    void give(int item) throws InterruptedException;
  }

  private interface Taking {
    Integer take() throws InterruptedException;
  }

  private static void pass(int items, Giving giving, Taking taking) throws Exception {
    FutureTask<Void> sender =
        started(
            () -> {
              for (int i = 0; i < items; i++) {
                giving.give(i);
              }
            });
    for (int i = 0; i < items; i++) {
      taking.take();
    }
    sender.get();
  }

  private static FutureTask<Void> started(Action body) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              body.run();
              return null;
            });
    Thread.ofPlatform().start(task);
    return task;
  }

  // ---- pools

  private static void pool(int size, boolean map) throws Exception {
    try (LoopPool pool = LoopPool.open(THREADS)) {
      Loop.run(
          () ->
              Stopwatch.measure(
                  TASKS,
                  TASKS,
                  tasks -> {
                    for (int done = 0; done < tasks; done += size) {
                      if (map) {
                        pool.map(Collections.nCopies(size, 1), ThreadsProgram::compute);
                      } else {
                        List<Promise<Long>> promises = new ArrayList<>();
                        for (int i = 0; i < size; i++) {
                          promises.add(pool.submit(() -> compute(1)));
                        }
                        for (Promise<Long> promise : promises) {
                          promise.await();
                        }
                      }
                    }
                  }));
    }
  }

  private static void forkJoin(int size, boolean map) throws Exception {
    try (ForkJoinPool pool = new ForkJoinPool(THREADS)) {
      Stopwatch.measure(
          TASKS,
          TASKS,
          tasks -> {
            for (int done = 0; done < tasks; done += size) {
              if (map) {
                pool.invokeAll(Collections.nCopies(size, () -> compute(1)));
              } else {
                List<ForkJoinTask<Long>> running = new ArrayList<>();
                for (int i = 0; i < size; i++) {
                  running.add(pool.submit(() -> compute(1)));
                }
                for (ForkJoinTask<Long> task : running) {
                  task.get();
                }
              }
            }
          });
    }
  }

  /// Some 10 µs, in steps that the compiler cannot shorten.
  private static long compute(int seed) {
    long state = seed;
    for (int i = 0; i < 6_000; i++) {
      state ^= state << 13;
      state ^= state >>> 7;
      state ^= state << 17;
    }
    return state;
  }
}
