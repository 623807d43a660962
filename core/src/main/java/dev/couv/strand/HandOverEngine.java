// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.EventLoop;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Coroutines as ordinary virtual threads that take turns with the loop's thread: whoever has the
/// turn runs, everybody else is parked. The same semantics as the other engine without any access to
/// the JDK's internals, at the price of two thread switches per turn.
///
/// The turn is a baton per fiber. Passing it is a volatile write, so what the one wrote before is
/// what the other reads after: nothing else here needs to be thread-safe.
final class HandOverEngine extends Engine {
  private static final ThreadLocal<Fiber> CURRENT = new ThreadLocal<>();

  private final Rota rota;
  private final EventLoop events;

  /// The strand that has the turn, or null while the loop has it.
  private volatile @Nullable Fiber holder;

  private @Nullable Thread loopThread;

  HandOverEngine(Rota rota, EventLoop events) {
    this.rota = rota;
    this.events = events;
  }

  static @Nullable Fiber currentFiber() {
    return CURRENT.get();
  }

  @Override
  void start(Fiber fiber, Placement placement) {
    fiber.thread =
        Thread.ofVirtual()
            .name(fiber.name())
            .inheritInheritableThreadLocals(false)
            .unstarted(() -> runOn(fiber));
    Runnable task = () -> handOver(fiber);
    fiber.task = task;
    rota.enqueue(task, placement);
  }

  @Override
  void ready(Fiber fiber, Placement placement) {
    Runnable task = fiber.task;
    if (task == null) {
      throw new AssertionError(fiber + " was never started");
    }
    rota.enqueue(task, placement);
  }

  @Override
  void switchOut(Fiber fiber, Object blocker) {
    Thread loop = loopThread;
    LockSupport.setCurrentBlocker(blocker); // before others run, who may look
    holder = null;
    boolean interrupted = false;
    StackOverflowError overflow = null;
    for (boolean told = false; !told || holder != fiber; ) {
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
  boolean requeue(Fiber fiber) {
    ready(fiber, Placement.BACK);
    switchOut(fiber, ExplicitResume.PAUSE);
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
  private void handOver(Fiber fiber) {
    Thread thread = fiber.thread;
    if (thread == null) {
      throw new AssertionError(fiber + " was never started");
    }
    holder = fiber;
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
  private void runOn(Fiber fiber) {
    try {
      CURRENT.set(fiber);
      fiber.run();
    } catch (Throwable broken) { // no memory to run it, or to end it
      events.escaped(broken);
    } finally {
      Thread loop = loopThread; // now: another thread may have taken over meanwhile
      holder = null;
      LockSupport.unpark(loop);
    }
  }
}
