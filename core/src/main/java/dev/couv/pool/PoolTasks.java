// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The tasks of a pool that have not ended: those that nobody has taken, in their line, and those that run. Any
/// thread.
final class PoolTasks {
  private final Object pool;

  /// Where its threads take them from.
  final TaskLine line = new TaskLine();

  private final Set<PoolTask<?>> all = ConcurrentHashMap.newKeySet();
  private final AtomicLong ended = new AtomicLong();
  private volatile boolean cancelled;

  /// What each of them is called; made once, when the first begins.
  private volatile @Nullable String taskName;

  /// `pool` is whose they are, for messages.
  PoolTasks(Object pool) {
    this.pool = pool;
  }

  // ---- coming and going

  /// False if no more are taken.
  boolean add(PoolTask<?> task) {
    all.add(task);
    return line.add(task);
  }

  /// Nobody will hear of it: whoever takes it must not run it.
  void drop(PoolTask<?> task) {
    if (all.remove(task)) {
      task.ended();
    }
    task.promise.cancel();
  }

  /// A task was cancelled: if nobody has taken it, nothing of it is left.
  void withdrawn(PoolTask<?> task) {
    if (line.remove(task)) {
      ended(task);
    }
  }

  /// A task is over.
  void ended(PoolTask<?> task) {
    if (all.remove(task)) {
      ended.incrementAndGet();
      task.ended();
    }
  }

  /// What the coroutine of a task is called.
  String taskName() {
    String known = taskName;
    if (known == null) {
      known = "task of " + this;
      taskName = known;
    }
    return known;
  }

  // ---- the end

  /// There are no more to come, and nothing is to begin any more.
  void cancel() {
    cancelled = true;
    line.close();
    reject("the pool was cancelled");
  }

  /// Whether nothing is to begin any more.
  boolean isCancelled() {
    return cancelled;
  }

  /// Those that nobody has taken never run.
  void reject(String why) {
    for (PoolTask<?> task : line.drain()) {
      task.reject(why);
    }
  }

  // ---- looking

  /// How many each loop has taken.
  IdentityHashMap<Loop, Integer> loads() {
    IdentityHashMap<Loop, Integer> loads = new IdentityHashMap<>();
    for (PoolTask<?> task : all) {
      Loop taker = task.loop();
      if (taker != null) {
        loads.merge(taker, 1, Integer::sum);
      }
    }
    return loads;
  }

  /// What there is now, in a pool of that size and so many threads.
  PoolStats stats(int size, int threads) {
    int running = 0;
    int pending = 0;
    int suspended = 0;
    int count = 0;
    for (PoolTask<?> task : all) {
      count++;
      Coroutine<?> coroutine = task.coroutine();
      if (coroutine == null) {
        pending++;
        continue;
      }
      switch (coroutine.status()) {
        case RUNNING, NORMAL, DONE, FAILED, CANCELLED -> running++;
        case READY, CREATED -> pending++;
        case SUSPENDED -> suspended++;
      }
    }
    return new PoolStats(size, threads, count, running, pending, suspended, ended.get());
  }

  @Override
  public String toString() {
    return pool.toString();
  }
}
