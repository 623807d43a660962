// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Census;
import dev.couv.loop.EventLoop;
import dev.couv.strand.Scheduler;
import dev.couv.strand.Waker;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Those outside of a loop who may still come, when nothing of its own can wake the coroutines that are
/// left. Is it a deadlock?
///
/// ## What is certain
///
/// Nobody can come who has no way in. The ways in are: the loop itself, once a coroutine has asked for it
/// ([Loop#current]); what is made to be used by others, if a coroutine waits for it: a channel, a promise, a
/// source of the program's own that is bound to no loop; an event of the system, or a trigger, that would
/// tell callbacks. Where there is none of these it is a deadlock, at once. (What asks for a shutdown ends
/// the loop and brings nobody what it waits for: it is no way in.)
///
/// Else nothing is certain. Who has the other end is not to be known: a thread of whatever age or state,
/// a virtual one, which cannot be counted, a shutdown hook, the handler of a signal. The loop tells it
/// once, in the log, and waits.
///
/// ## What is likely
///
/// A strict run, a loop that is embedded (where nothing is thrown) and one that unwinds have to go on: for
/// them it is over when nobody seems to be left who could come, and nobody has come for a second. Who
/// seems so:
///
/// - a coroutine of another loop, unless all of that loop wait for others themselves;
/// - a thread of the program that was started after the loop;
/// - an older one that is no daemon and does not just wait itself.
///
/// Threads of the JDK, idle workers of its pools and our own do not count, except one that is about to
/// run a loop. Other threads, and virtual ones, have that second to come for the first time. From
/// then on the wait is for them, and holds the loop. Whoever comes later needs an object that says so when
/// it is made (`ChanOptions.shared`).
///
/// Loop thread.
final class Outsiders {
  /// Whether a run is strict whose options do not say.
  static final String STRICT = "couv.deadlock.strict";

  /// How long nobody may come, in milliseconds.
  private static final String PATIENCE = "couv.deadlock.patience";

  /// Between two looks at who is left.
  private static final long LOOK_NANOS = 100_000_000;

  /// Where there is nothing to look at.
  private static final long LONG_NANOS = 3600 * 1_000_000_000L;

  /// In place of how often a loop fell asleep that has no coroutines.
  private static final int EMPTY = -1;

  private final Scheduler scheduler;
  private final EventLoop events;
  private final Block root;
  private final Reports reports;
  private final Optional<Boolean> strict;

  /// Threads with a greater id were started after the loop was made.
  private final long firstId = Thread.ofVirtual().unstarted(() -> {}).threadId();

  /// Whether somebody may have the loop.
  private boolean known;

  /// Events that others make happen, and that nobody awaits, but callbacks hear of.
  private int heard;

  private boolean told;

  Outsiders(Scheduler scheduler, Block root, Reports reports, Optional<Boolean> strict) {
    this.scheduler = scheduler;
    this.events = scheduler.events();
    this.root = root;
    this.reports = reports;
    this.strict = strict;
  }

  /// A coroutine has asked for the loop, and may have passed it on.
  void mayKnow() {
    known = true;
  }

  void heardMore() {
    heard++;
  }

  void heardLess() {
    heard--;
  }

  /// Nothing is left but waits in doubt, if anything: waits until there is something to do. False if
  /// nobody seems to come.
  boolean await(BooleanSupplier toDo) {
    return events.liveness().hasDoubtfulWaits() && await(toDo, true, () -> {});
  }

  /// The same in the run of a whole program: false only if it is certain that nobody comes, or the run is
  /// strict.
  boolean awaitInRun(BooleanSupplier toDo) {
    return isReachable() && await(toDo, isStrict(), this::tell);
  }

  private boolean isReachable() {
    return known
        || heard > 0
        || events.liveness().hasDoubtfulWaits()
        || root.nesting.strands().stream()
            .anyMatch(strand -> strand.operation() instanceof Waker waker && waker.isReachable());
  }

  private boolean isStrict() {
    return strict.orElseGet(() -> Boolean.getBoolean(STRICT));
  }

  private static long patienceMillis() {
    return Long.getLong(PATIENCE, 1000);
  }

  private void tell() {
    if (!told) {
      told = true;
      reports.waiting(
          Dump.list(root.nesting.activeStrands(), events.clock()), STRICT, patienceMillis());
    }
  }

  /// Until there is something to do; false if it may guess, and nobody seems to come. `goesOn` is run when
  /// nobody has come in time and it waits all the same.
  private boolean await(BooleanSupplier toDo, boolean guesses, Runnable goesOn) {
    long start = System.nanoTime();
    events.liveness().asleep(true);
    @Nullable Map<EventLoop, Integer> sleepers = Map.of();
    try {
      while (!toDo.getAsBoolean()) {
        long wait = start + patienceMillis() * 1_000_000 - System.nanoTime();
        if (wait <= 0) {
          wait = guesses ? LOOK_NANOS : LONG_NANOS;
          @Nullable Map<EventLoop, Integer> before = sleepers;
          sleepers = guesses ? onlySleepers() : null;
          if (sleepers == null) {
            goesOn.run();
          } else if (sleepers.equals(before) && events.isAsleep()) {
            return false; // and nobody has come and gone while it looked
          }
        }
        if (!toDo.getAsBoolean()) {
          scheduler.polling().blockUntil(System.nanoTime() + wait);
        }
      }
      return true;
    } finally {
      events.liveness().asleep(false);
    }
  }

  /// The other loops, and how often each that has coroutines fell asleep; null if one is awake, or a thread might come that runs none. Two equal
  /// answers mean that none has moved in between.
  private @Nullable Map<EventLoop, Integer> onlySleepers() {
    List<EventLoop> loops = Census.loops();
    // The threads first: one that begins or ends a loop in between was not asked for itself.
    if (mayCome(loops) || !loops.equals(Census.loops())) {
      return null;
    }
    Map<EventLoop, Integer> sleepers = new HashMap<>();
    for (EventLoop other : loops) {
      boolean inhabited = other != events && other.residents().count() > 0;
      if (inhabited && !other.isAsleep()) {
        return null;
      }
      if (other != events) {
        sleepers.put(other, inhabited ? other.liveness().sleeps() : EMPTY);
      }
    }
    return sleepers;
  }

  /// Whether a thread might that runs none of these loops.
  private boolean mayCome(List<EventLoop> loops) {
    Set<@Nullable Thread> runLoops = new HashSet<>();
    loops.forEach(loop -> runLoops.add(loop.thread()));
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
