// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.coro.Awaitable;
import dev.couv.error.ClosedException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Line;
import dev.couv.loop.OutsideWait;
import dev.couv.loop.SpinLock;
import dev.couv.strand.Seat;
import dev.couv.strand.Selectable;
import dev.couv.strand.Suspension;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tasks of a pool that nobody has taken, the oldest first, and the threads that wait for one. A task
/// that is cancelled leaves it at once; one that is given back stands where it stood. Any thread.
final class TaskLine implements Awaitable<PoolTask<?>>, Selectable<PoolTask<?>> {
  private final SpinLock lock = new SpinLock();

  // Guarded by the lock.
  private final Line<PoolTask<?>> tasks = new Line<>();
  private final Line<Taker> takers = new Line<>();
  private long added;
  private boolean closed;

  /// A thread that waits for a task. Its loop goes on as long as it does.
  private static final class Taker extends OutsideWait {
    final Seat<PoolTask<?>> seat;

    Taker(Seat<PoolTask<?>> seat, EventLoop loop) {
      super(loop);
      this.seat = seat;
    }

    /// It was claimed.
    void tell(@Nullable PoolTask<?> task) {
      seat.deliver(task, task == null ? over() : null);
      waitEnded(Suspension.loopOrNull());
    }
  }

  /// Adds a task, which nobody takes before those that came earlier. False if no more are taken.
  boolean add(PoolTask<?> task) {
    return put(task, false, false);
  }

  /// It was taken, and will not be run by who took it. False if no more are taken.
  boolean handBack(PoolTask<?> task) {
    return put(task, true, false);
  }

  private boolean put(PoolTask<?> task, boolean again, boolean evenIfClosed) {
    Taker taker;
    try (var _ = lock.hold()) {
      if (closed && !evenIfClosed) {
        return false;
      }
      if (!again) {
        task.number = ++added;
      }
      taker = claimed();
      if (taker == null) {
        PoolTask<?> next = again ? tasks.first() : null;
        while (next != null && next.number < task.number) {
          next = tasks.next(next);
        }
        tasks.addBefore(next, task);
      }
    }
    if (taker != null) {
      taker.tell(task);
    }
    return true;
  }

  /// The one that has waited longest and can be had, taken out. Under the lock.
  private @Nullable Taker claimed() {
    for (Taker taker = takers.first(); taker != null; taker = takers.next(taker)) {
      if (taker.seat.claim()) {
        takers.remove(taker);
        return taker;
      }
    }
    return null;
  }

  /// It is not to be run. False if somebody has taken it.
  boolean remove(PoolTask<?> task) {
    try (var _ = lock.hold()) {
      return tasks.remove(task);
    }
  }

  /// Takes the oldest; null if there is none. Does not wait.
  @Nullable PoolTask<?> poll() {
    try (var _ = lock.hold()) {
      return tasks.poll();
    }
  }

  int size() {
    try (var _ = lock.hold()) {
      return tasks.size();
    }
  }

  /// Takes all that are left.
  List<PoolTask<?>> drain() {
    try (var _ = lock.hold()) {
      return tasks.drain();
    }
  }

  /// There are no more to come. Those that are left can be taken; who waits is told.
  void close() {
    List<Taker> told;
    try (var _ = lock.hold()) {
      closed = true;
      told = takers.takeIf(taker -> taker.seat.claim());
    }
    told.forEach(taker -> taker.tell(null));
  }

  private static ClosedException over() {
    return new ClosedException("there are no more tasks");
  }

  // ---- as a member of a wait

  @Override
  public PoolTask<?> await() throws Exception {
    return Suspension.await(this);
  }

  @Override
  public boolean poll(Seat<PoolTask<?>> seat) {
    PoolTask<?> oldest;
    try (var _ = lock.hold()) {
      oldest = tasks.poll();
      if (oldest == null && !closed) {
        return false;
      }
    }
    seat.receive(oldest, oldest == null ? over() : null);
    return true;
  }

  @Override
  public void enlist(Seat<PoolTask<?>> seat) {
    Taker taker = new Taker(seat, Suspension.loop("a task"));
    taker.waitStarted(true);
    seat.place(taker);
    try (var _ = lock.hold()) {
      takers.add(taker);
    }
  }

  @Override
  public void withdraw(Seat<PoolTask<?>> seat) {
    if (seat.place() instanceof Taker taker && left(taker)) {
      taker.waitEnded();
    }
  }

  private boolean left(Taker taker) {
    try (var _ = lock.hold()) {
      return takers.remove(taker);
    }
  }

  @Override
  public void surrender(
      Seat<PoolTask<?>> seat, @Nullable PoolTask<?> task, @Nullable Throwable error) {
    if (task != null) {
      put(task, true, true);
    }
  }

  @Override
  public String toString() {
    return "a task";
  }
}
