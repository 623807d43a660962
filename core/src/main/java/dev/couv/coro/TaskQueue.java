// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Line;
import dev.couv.loop.Operation;
import dev.couv.loop.WaitOperation;

/// The places of a task group: so many tasks run, so many more wait for their turn, and who spawns yet
/// another waits itself. First come, first served throughout.
final class TaskQueue {
  private static final int DEFAULT_FACTOR = 2;

  private int limit = Integer.MAX_VALUE;

  /// Negative: nobody has said.
  private int capacity = -1;

  private int running;
  private final Line<Task<?>> queued = new Line<>();
  private final Line<Admission> admissions = new Line<>();

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
    queued.add(task);
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

  private int capacity() {
    return capacity >= 0
        ? capacity
        : (int) Math.min((long) limit * DEFAULT_FACTOR, Integer.MAX_VALUE);
  }

  private void advance() {
    for (Task<?> next; running < limit && (next = queued.poll()) != null; ) {
      start(next);
    }
    for (Admission next; (next = admissions.first()) != null; ) {
      if (running < limit) {
        start(next.task);
      } else if (queued.size() < capacity()) {
        push(next.task);
      } else {
        return;
      }
      admissions.remove(next);
      next.told();
    }
  }

  private void start(Task<?> task) {
    running++;
    task.start();
  }

  /// Cancelled, the task is not spawned. One that was told has its place for the task, which keeps it.
  private final class Admission extends WaitOperation {
    private final Task<?> task;

    Admission(Task<?> task) {
      this.task = task;
    }

    @Override
    protected boolean enter() {
      if (offer(task)) {
        return true;
      }
      admissions.add(this);
      return false;
    }

    @Override
    public String toString() {
      return "a place for " + task.coroutine.name() + " in its group";
    }
  }
}
