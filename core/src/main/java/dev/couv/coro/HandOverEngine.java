// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Coroutines as ordinary virtual threads that take turns with the loop's thread: whoever has the
/// turn runs, everybody else is parked. The same semantics as the other engine without any access to
/// the JDK's internals, at the price of two thread switches per turn.
///
/// The turn is a baton per strand. Passing it is a volatile write, so what the one wrote before is
/// what the other reads after: nothing else here needs to be thread-safe.
final class HandOverEngine extends Engine {
  private static final ThreadLocal<Strand> CURRENT = new ThreadLocal<>();

  private final Scheduler scheduler;

  /// The strand that has the turn, or null while the loop has it.
  private volatile @Nullable Strand holder;

  private @Nullable Thread loopThread;

  HandOverEngine(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  static @Nullable Strand currentStrand() {
    return CURRENT.get();
  }

  @Override
  void start(Strand strand, Placement placement) {
    strand.thread =
        Thread.ofVirtual()
            .name(strand.name())
            .inheritInheritableThreadLocals(false)
            .unstarted(() -> runOn(strand));
    Runnable task = () -> handOver(strand);
    strand.task = task;
    scheduler.enqueue(task, placement);
  }

  @Override
  void ready(Strand strand, Placement placement) {
    Runnable task = strand.task;
    if (task == null) {
      throw new AssertionError(strand + " was never started");
    }
    scheduler.enqueue(task, placement);
  }

  @Override
  void switchOut(Strand strand, Object blocker) {
    Thread loop = loopThread;
    LockSupport.setCurrentBlocker(blocker); // before others run, who may look
    holder = null;
    boolean interrupted = false;
    StackOverflowError overflow = null;
    for (boolean told = false; !told || holder != strand; ) {
      try {
        if (told) {
          LockSupport.park();
          // An interrupt would end every further park: it is kept for whoever asks for it.
          interrupted |= Thread.interrupted();
        } else {
          LockSupport.unpark(loop);
          told = true;
        }
      } catch (StackOverflowError e) {
        overflow = e; // without the turn it must not go on, not even to throw this
      }
    }
    LockSupport.setCurrentBlocker(null);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (overflow != null) {
      throw overflow;
    }
  }

  @Override
  boolean requeue(Strand strand) {
    ready(strand, Placement.BACK);
    switchOut(strand, ExplicitResume.PAUSE);
    return true;
  }

  @Override
  boolean isAlive() {
    return false;
  }

  @Override
  void enter() {
    loopThread = Thread.currentThread();
  }

  @Override
  void leave() {
    loopThread = null;
  }

  @Override
  void orphan(Runnable task) {
    throw new AssertionError("only strands are queued, and none is left");
  }

  /// On the loop's thread: gives the turn to the strand and waits until it comes back.
  private void handOver(Strand strand) {
    Thread thread = strand.thread;
    if (thread == null) {
      throw new AssertionError(strand + " was never started");
    }
    holder = strand;
    try {
      if (thread.getState() == Thread.State.NEW) {
        thread.start();
      } else {
        LockSupport.unpark(thread);
      }
    } catch (Throwable refused) { // it does not run: no memory
      holder = null;
      throw refused;
    }
    boolean interrupted = false;
    while (holder != null) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// On the strand's thread: the whole of its life.
  private void runOn(Strand strand) {
    try {
      CURRENT.set(strand);
      strand.run();
    } catch (Throwable broken) { // no memory to run it, or to end it
      scheduler.events().escaped(broken);
    } finally {
      Thread loop = loopThread; // now: another thread may have taken over meanwhile
      holder = null;
      LockSupport.unpark(loop);
    }
  }
}
