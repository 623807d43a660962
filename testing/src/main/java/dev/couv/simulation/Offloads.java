// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The calls of one life of a host that run on other threads, as those by `Loop.offload`: one at a time, in the order they were asked for,
/// and each only when nothing else is left to do on the host at that moment. So nothing depends on how quick those threads are.
///
/// The thread of the simulation waits for each. It alone uses this.
final class Offloads {
  private static final long A_MOMENT = 1_000_000;
  private static final long MOST_PATIENCE = 30_000_000_000L;

  /// Bound where such a call is made.
  private static final ScopedValue<Boolean> MADE = ScopedValue.newInstance();

  private record Call(Executor threads, Runnable work) {}

  private final Queue<Call> waiting = new ArrayDeque<>();
  private final long patience;
  private boolean over;

  Offloads() {
    this(MOST_PATIENCE);
  }

  /// So many nanoseconds a call may wait for something.
  Offloads(long patience) {
    this.patience = patience;
  }

  /// In the place of those threads.
  Executor inOrder(Executor threads) {
    return work -> {
      Runnable call = () -> ScopedValue.where(MADE, true).run(work);
      if (over) {
        threads.execute(call); // the host's code unwinds, and reaches nobody
      } else {
        waiting.add(new Call(threads, call));
      }
    };
  }

  /// Whether the calling thread makes such a call.
  static boolean isOne() {
    return MADE.isBound();
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /// Has the next made, to its end. `stuck` is run while that takes long: a coroutine may have to let go of what the call waits
  /// for. False if there is none.
  ///
  /// @throws IllegalStateException if it waits for what will not come
  boolean makeNext(Runnable stuck) {
    Call next = waiting.poll();
    if (next == null) {
      return false;
    }
    Making making = new Making(next.work());
    try {
      next.threads().execute(making);
    } catch (RejectedExecutionException | OutOfMemoryError none) {
      making.run(); // this thread has nothing else to do
    }
    long end = System.nanoTime() + patience;
    while (!making.isOver()) {
      stuck.run();
      if (System.nanoTime() - end > 0 && making.isWaiting()) {
        throw new IllegalStateException(
            "a call on another thread waits for something, and nothing else goes on before it has"
                + " ended",
            making.place());
      }
    }
    return true;
  }

  /// Its host is down: those that are left wait for nobody.
  void end() {
    over = true;
    for (Call left; (left = waiting.poll()) != null; ) {
      left.threads().execute(left.work());
    }
  }

  private static final class Making implements Runnable {
    private final Runnable work;
    private final Thread waits = Thread.currentThread();
    private volatile boolean over;
    private volatile @Nullable Thread thread;

    Making(Runnable work) {
      this.work = work;
    }

    @Override
    public void run() {
      thread = Thread.currentThread();
      try {
        work.run();
      } finally {
        over = true;
        LockSupport.unpark(waits);
      }
    }

    /// After a moment, if it is not yet.
    boolean isOver() {
      if (!over) {
        LockSupport.parkNanos(this, A_MOMENT);
      }
      return over;
    }

    /// For somebody else, with no end in sight.
    boolean isWaiting() {
      Thread making = thread;
      Thread.State state = making == null ? Thread.State.NEW : making.getState();
      return state == Thread.State.WAITING || state == Thread.State.BLOCKED;
    }

    /// Where it is.
    Throwable place() {
      Throwable place = new Throwable("where it waits");
      Thread making = thread;
      place.setStackTrace(making == null ? new StackTraceElement[0] : making.getStackTrace());
      return place;
    }
  }
}
