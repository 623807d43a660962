// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The places of a task group: so many tasks run, so many more wait for their turn, and who spawns yet
/// another waits itself. First come, first served throughout.
final class TaskQueue {
  private static final int DEFAULT_FACTOR = 2;

  private int limit = Integer.MAX_VALUE;

  /// Negative: nobody has said.
  private int capacity = -1;

  private int running;
  private final ArrayDeque<Task<?>> queued = new ArrayDeque<>(0);
  private final ArrayDeque<Admission> admissions = new ArrayDeque<>(0);

  void limit(int newLimit) {
    limit = newLimit;
    advance();
  }

  void capacity(int newCapacity) {
    capacity = newCapacity;
    advance();
  }

  /// Nobody runs, or waits to.
  boolean isIdle() {
    return running == 0 && queued.isEmpty() && admissions.isEmpty();
  }

  /// Starts the task, or lets it wait. False if there is no place left even for that.
  boolean offer(Task<?> task) {
    if (admissions.isEmpty() && queued.isEmpty() && running < limit) {
      start(task);
      return true;
    }
    if (admissions.isEmpty() && queued.size() < capacity()) {
      push(task);
      return true;
    }
    return false;
  }

  /// Lets it wait whether there is a place or not.
  void push(Task<?> task) {
    task.enter();
    queued.addLast(task);
  }

  /// Waiting for a place for the task, which gets it before its spawner goes on.
  Operation admission(Task<?> task) {
    return new Admission(task);
  }

  /// The task has ended: its place is free.
  void ended(Task<?> task) {
    if (task.isStarted()) {
      running--;
    } else {
      queued.remove(task); // it was cancelled in the queue
    }
    advance();
  }

  /// The scope is cancelled: whoever still gets a place only ends.
  void open() {
    limit = Integer.MAX_VALUE;
    advance();
  }

  private int capacity() {
    return capacity >= 0
        ? capacity
        : (int) Math.min((long) limit * DEFAULT_FACTOR, Integer.MAX_VALUE);
  }

  private void advance() {
    for (Task<?> next; running < limit && (next = queued.pollFirst()) != null; ) {
      start(next);
    }
    for (Admission next; (next = admissions.peekFirst()) != null; ) {
      if (running < limit) {
        start(next.task);
      } else if (queued.size() < capacity()) {
        push(next.task);
      } else {
        return;
      }
      admissions.removeFirst();
      next.granted();
    }
  }

  private void start(Task<?> task) {
    running++;
    task.start();
  }

  private final class Admission implements Operation {
    private final Task<?> task;
    private @Nullable Waiter waiter;

    Admission(Task<?> task) {
      this.task = task;
    }

    @Override
    public boolean start(Waiter newWaiter) {
      if (offer(task)) {
        return true;
      }
      waiter = newWaiter;
      admissions.addLast(this);
      return false;
    }

    void granted() {
      Waiter told = waiter;
      waiter = null;
      if (told != null) {
        told.completed();
      }
    }

    /// The task is not spawned.
    @Override
    public void cancel() {
      waiter = null;
      admissions.remove(this);
    }

    /// The task has its place, and keeps it.
    @Override
    public void surrender() {}

    @Override
    public String toString() {
      return "a place for " + task.coroutine().name() + " in its group";
    }
  }
}
