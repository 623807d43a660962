// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/// Waits for a coroutine that met another thread at a lock, where a run is to be repeated: it goes on within the same turn, as if
/// nobody had been there. The JDK alone would hand it over for one more turn, which it does not have in a run without that thread.
///
/// Who holds the lock is not known. If it is a coroutine of the loop's own thread, nobody lets go of it while that waits: then the
/// time is over each time, in every run, and the others have their turns as ever. What such a program pays is the time, less with each; a
/// wait that was not in vain gives some of it back.
///
/// Threads: all of it is the loop's thread's, except [#bring].
final class Comeback {
  /// Enough for the other thread to be given a core again, with the lock in its hands, on a machine that has much to do.
  private static final long MOST_NANOS = 1_000_000_000;

  private static final long LEAST_NANOS = 1_000_000;

  /// After so many looks the loop's thread sleeps: most locks are free again by then.
  private static final int LOOKS = 1_000;

  /// Whose continuation is run or waited for; taken by whoever is first, the thread that brings it or the loop's own.
  private final AtomicReference<@Nullable Runnable> expected = new AtomicReference<>();

  /// It waits for the time, or has yielded: how long the loop's thread takes to look does not decide when it goes on.
  private boolean forgone;

  private boolean timed;

  private volatile @Nullable Thread waiting;
  private long patience = MOST_NANOS;

  /// It is about to run. Before it does: it may be brought again before the loop's thread has returned from it.
  void expect(Runnable task) {
    forgone = false;
    expected.set(task);
  }

  /// It may go on. True if the loop's thread runs it without further ado. Any other thread.
  boolean bring(Runnable task) {
    if (expected.get() != task || !expected.compareAndSet(task, null)) {
      return false;
    }
    LockSupport.unpark(waiting);
    return true;
  }

  /// What has just run has yielded: it comes by the usual way.
  void forgo() {
    forgone = expected.getAndSet(null) != null;
  }

  /// Likewise, because it waits for a time, which is a real one. Before that begins: it may be over at once.
  void forgoInTime() {
    timed = true;
    forgo();
  }

  /// Whether anybody has waited for a real time, however short: no other run does so alike.
  boolean isTimed() {
    return timed;
  }

  boolean isExpected(Runnable task) {
    return expected.get() == task;
  }

  /// It has run, as that fiber, if it is one's. True if it is to run again now.
  boolean isBack(Runnable task, @Nullable Fiber ran) {
    if (ran != null && ran.task == task && ran.isBlocked() && isAtLock(ran.thread)) {
      await(task);
    }
    return expected.getAndSet(null) == null && !forgone;
  }

  private void await(Runnable task) {
    long end = System.nanoTime() + patience;
    for (int looks = 0; looks < LOOKS && isExpected(task); looks++) {
      Thread.onSpinWait();
    }
    waiting = Thread.currentThread();
    long left = patience;
    while (isExpected(task) && left > 0) {
      LockSupport.parkNanos(this, left);
      left = end - System.nanoTime();
    }
    waiting = null;
    patience =
        isExpected(task) ? Math.max(LEAST_NANOS, patience / 2) : Math.min(MOST_NANOS, patience * 2);
  }

  /// Not for something else, as a value or the time, that no other program in this VM brings: or it is on its way already.
  private static boolean isAtLock(@Nullable Thread thread) {
    if (thread == null) {
      return false;
    }
    return switch (thread.getState()) {
      case BLOCKED, RUNNABLE -> true;
      case WAITING -> {
        Object blocker = LockSupport.getBlocker(thread);
        yield blocker == null // it has just been woken
            ? thread.getState() == Thread.State.RUNNABLE
            : isLock(blocker);
      }
      case NEW, TIMED_WAITING, TERMINATED -> false;
    };
  }

  /// Not a latch, though it is made of the same: nobody holds it, and who joins a thread waits at one.
  private static boolean isLock(Object blocker) {
    return blocker instanceof AbstractOwnableSynchronizer
        ? blocker.getClass().getEnclosingClass() != CountDownLatch.class
        : blocker instanceof StampedLock;
  }
}
