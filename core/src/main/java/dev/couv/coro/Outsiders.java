// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Census;
import dev.couv.loop.EventLoop;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Those outside of a loop who may still come to something that only its own coroutines have used so
/// far: a channel, a promise. When such waits are all that is left, is it a deadlock?
///
/// ## The rule
///
/// It is one when nobody is left who could come, and nobody has come for a second. Who could come:
///
/// - a coroutine of another loop, unless all of that loop wait for others themselves;
/// - a thread of the program that was started after the loop;
/// - an older one that is no daemon and does not just wait itself.
///
/// Threads of the JDK, idle workers of its pools and our own do not count, except one that is about to
/// run a loop. Other threads, and virtual
/// ones, do not tell what they are about: they have that second to come for the first time. From
/// then on the wait is for them, and holds the loop. Whoever comes later needs an object that says so when
/// it is made (`ChanOptions.shared`).
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
    events.asleep(true);
    Map<EventLoop, Integer> sleepers = Map.of();
    try {
      while (!toDo.getAsBoolean()) {
        long left = start + patience - System.nanoTime();
        if (left <= 0) {
          Map<EventLoop, Integer> stillAsleep = otherSleepers();
          if (stillAsleep != null && stillAsleep.equals(sleepers) && !mayCome()) {
            return false;
          }
          sleepers = stillAsleep == null ? Map.of() : stillAsleep;
        }
        polling.blockUntil(
            System.nanoTime() + (left <= 0 ? LOOK_NANOS : Math.min(left, LOOK_NANOS)));
      }
      return true;
    } finally {
      events.asleep(false);
    }
  }

  /// The other loops that have coroutines, and how often each fell asleep; null if one is awake. Two
  /// equal answers mean that none has moved in between.
  private @Nullable Map<EventLoop, Integer> otherSleepers() {
    Map<EventLoop, Integer> sleepers = new HashMap<>();
    for (EventLoop other : Census.loops()) {
      if (other != events && other.residents() > 0) {
        if (!other.isAsleep()) {
          return null;
        }
        sleepers.put(other, other.sleeps());
      }
    }
    return sleepers;
  }

  /// Whether a thread that runs no loop might.
  private boolean mayCome() {
    Set<@Nullable Thread> runLoops = new HashSet<>();
    Census.loops().forEach(loop -> runLoops.add(loop.thread()));
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
    boolean waits = isWaiting(thread);
    String name = thread.getName();
    if (name.startsWith("couv-pool-") || name.equals("couv-loop")) {
      return true; // its loop has not begun to run, or just ends
    }
    if (name.startsWith("couv-")
        || name.equals("DestroyJavaVM")
        || (waits && thread instanceof ForkJoinWorkerThread)) {
      return false;
    }
    return thread.threadId() > firstId ? isOfTheProgram(thread) : !thread.isDaemon() && !waits;
  }

  private static boolean isWaiting(Thread thread) {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }

  /// The JDK keeps its threads in groups beside those of the program: "main", and "VirtualThreads"
  /// for those that were started by a virtual thread.
  private static boolean isOfTheProgram(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    while (group != null && group.getParent() != null && group.getParent().getParent() != null) {
      group = group.getParent();
    }
    return group != null
        && group.getParent() != null
        && !group.getName().equals("CarrierThreads")
        && !group.getName().equals("InnocuousThreadGroup");
  }
}
