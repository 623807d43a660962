// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Census;
import dev.couv.loop.EventLoop;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Those outside of a loop who may still come to something that only its own coroutines have used so
/// far: a channel, a promise. When such waits are all that is left, is it a deadlock?
///
/// ## The rule
///
/// It is one when nobody is left who could come, and nobody has come for a second. Who could come:
///
/// - a coroutine of another loop, unless all of that loop are in the same doubt;
/// - a thread that is no daemon, and was started after the loop or is not just waiting itself.
///
/// Daemon threads and virtual threads do not tell what they are about. They have that second to come for the
/// first time; from then on the wait is for them, and holds the loop. One that comes later needs an
/// object that says so when it is made (`ChanOptions.shared`).
///
/// Loop thread.
final class Outsiders {
  /// How long nobody may come, in milliseconds.
  private static final String PATIENCE = "couv.deadlock.patience";

  /// Between two looks at who is left.
  private static final long LOOK_NANOS = 100_000_000;

  private final EventLoop events;
  private final Polling polling;

  /// Threads with a greater id were started after the loop was made.
  private final long firstId = Thread.ofVirtual().unstarted(() -> {}).threadId();

  Outsiders(EventLoop events, Polling polling) {
    this.events = events;
    this.polling = polling;
  }

  /// Nothing is left but waits in doubt, if anything: waits until there is something to do. False if
  /// nobody will come.
  boolean await(BooleanSupplier toDo) {
    if (!events.hasDoubtfulWaits()) {
      return false;
    }
    long patience = Long.getLong(PATIENCE, 1000) * 1_000_000;
    long start = System.nanoTime();
    events.inDoubt(true);
    try {
      while (!toDo.getAsBoolean()) {
        long left = start + patience - System.nanoTime();
        if (left <= 0 && !mayCome()) {
          return false;
        }
        polling.blockUntil(
            System.nanoTime() + (left <= 0 ? LOOK_NANOS : Math.min(left, LOOK_NANOS)));
      }
      return true;
    } finally {
      events.inDoubt(false);
    }
  }

  private boolean mayCome() {
    Set<@Nullable Thread> runLoops = new HashSet<>();
    for (EventLoop other : Census.loops()) {
      if (other != events && other.residents() > 0 && !other.isInDoubt()) {
        return true;
      }
      runLoops.add(other.thread());
    }
    ThreadGroup all = Thread.currentThread().getThreadGroup();
    for (ThreadGroup parent; (parent = all.getParent()) != null; ) {
      all = parent;
    }
    @Nullable Thread[] threads = new Thread[all.activeCount() + 16];
    all.enumerate(threads);
    for (Thread thread : threads) {
      if (thread != null && !runLoops.contains(thread) && mayCome(thread)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayCome(Thread thread) {
    if (thread.isDaemon()
        || thread.getName().startsWith("couv-")
        || thread.getName().equals("DestroyJavaVM")) {
      return false;
    }
    return switch (thread.getState()) {
      case RUNNABLE, BLOCKED -> true;
      case WAITING, TIMED_WAITING -> thread.threadId() > firstId;
      case NEW, TERMINATED -> false;
    };
  }
}
