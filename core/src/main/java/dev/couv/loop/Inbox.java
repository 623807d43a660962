// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/// The way into a loop from other threads: tasks, and the bell that makes the loop look at them. Without a lock.
final class Inbox {
  private final NativeLoop loop;
  private final Wakeup bell;
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  Inbox(NativeLoop loop, Wakeup bell) {
    this.loop = loop;
    this.bell = bell;
  }

  /// Any thread.
  boolean post(Runnable task) {
    if (loop.isClosed()) {
      return false;
    }
    tasks.add(task);
    // Closed in between: whoever takes it out, the closer or this thread, is responsible for it.
    if (loop.isClosed() && tasks.remove(task)) {
      return false;
    }
    bell.raise();
    return true;
  }

  /// Any thread.
  boolean isEmpty() {
    return tasks.isEmpty();
  }

  /// Runs up to `limit` tasks. True if more are waiting.
  boolean run(int limit) {
    if (bell.isRaised()) {
      bell.lower();
    } else if (tasks.isEmpty()) {
      return false;
    }
    for (int ran = 0; ran < limit; ran++) {
      Runnable task = tasks.poll();
      if (task == null) {
        return false;
      }
      task.run();
    }
    return !tasks.isEmpty();
  }

  /// What got in before the loop was closed and has not run.
  void drainTo(Consumer<Runnable> orphans) {
    for (Runnable task; (task = tasks.poll()) != null; ) {
      orphans.accept(task);
    }
  }
}
