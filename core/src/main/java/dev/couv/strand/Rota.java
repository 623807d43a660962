// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Whose turn it is on a loop: the one that runs, those that are ready, and those that block.
///
/// ## Explicit resumption
///
/// The resumed strand runs next, before the queue; so does its resumer when the strand suspends. At
/// most one continuation is advanced that way at any moment.
///
/// ## Strands that block in plain Java code
///
/// They leave the thread without telling. After each continuation the one that ran, if it is
/// still RUNNING, must be blocked; it is found again by its thread when it goes on.
final class Rota {
  final ReadyQueue ready;
  private final IdentityHashMap<Thread, Fiber> blocked = new IdentityHashMap<>();

  /// Those by their continuations, if turns are watched or a run is to be repeated: one that goes on does not say who it is before
  /// it next calls us.
  private final IdentityHashMap<Runnable, Fiber> goingOn = new IdentityHashMap<>();

  private @Nullable Fiber current;

  /// Runs before the queue.
  private @Nullable Runnable advanced;

  /// If turns are watched.
  private @Nullable TurnWatch watch;

  /// If a run is to be repeated, whoever else is in this VM.
  private final @Nullable Comeback comeback;

  Rota(OptionalLong shuffleSeed, boolean alone) {
    ready = new ReadyQueue(shuffleSeed);
    comeback = alone ? new Comeback() : null;
  }

  /// Where one that has met another thread at a lock is brought to; null if that takes it another turn.
  @Nullable Comeback comeback() {
    return comeback;
  }

  /// Each turn is told to that one from now on.
  void watchedBy(TurnWatch newWatch) {
    watch = newWatch;
  }

  // ---- who runs

  @Nullable Fiber current() {
    return current;
  }

  /// It goes on, on its own thread.
  void entered(Fiber fiber) {
    if (current != fiber) {
      current = fiber;
      if (!blocked.isEmpty()) {
        blocked.remove(fiber.thread);
        goingOn.remove(fiber.task);
      }
    }
  }

  /// The one of that thread, which this loop's thread carries now; null if it is none of ours.
  @Nullable Fiber of(Thread thread) {
    Fiber fiber = current;
    if (fiber != null && fiber.thread == thread) {
      return fiber;
    }
    fiber = blocked.get(thread);
    if (fiber != null) {
      entered(fiber);
    }
    return fiber;
  }

  boolean hasBlocked() {
    return !blocked.isEmpty();
  }

  List<Thread> blockedThreads() {
    return blocked.isEmpty() ? List.of() : List.copyOf(blocked.keySet());
  }

  int blocked() {
    return blocked.size();
  }

  // ---- who is ready

  /// A continuation may run. Loop thread.
  void enqueue(Runnable task, Placement placement) {
    switch (placement) {
      case BACK -> ready.add(task);
      case NEXT -> {
        if (advanced != null) {
          ready.add(advanced); // its resumer was pinned and went on, and resumes another
        }
        advanced = task;
      }
    }
  }

  /// Runs one that is in the queue next.
  void advance(Fiber fiber) {
    Runnable task = fiber.task;
    if (task != null && task != advanced && ready.remove(task)) {
      enqueue(task, Placement.NEXT);
    }
  }

  // ---- turns

  /// Gives the next one in the queue its turn, and whoever it advances. False if nobody is ready.
  boolean runNext() {
    Runnable task = ready.poll();
    if (task == null) {
      return false;
    }
    run(task);
    runAdvanced();
    return true;
  }

  void runAdvanced() {
    for (Runnable task; (task = advanced) != null; ) {
      advanced = null;
      run(task);
    }
  }

  private void run(Runnable task) {
    if (watch == null) {
      runThrough(task);
    } else {
      watch.begin(goingOn.get(task));
      runThrough(task);
      watch.end(current);
    }
    Fiber ran = current;
    if (ran != null) {
      current = null;
      Thread thread = ran.thread;
      if (ran.isBlocked() && thread != null) {
        blocked.put(thread, ran);
        if ((watch != null || comeback != null) && ran.task != null) {
          goingOn.put(ran.task, ran);
        }
        ran.blocked();
      }
    }
  }

  private void runThrough(Runnable task) {
    if (comeback == null) {
      task.run();
      return;
    }
    Fiber known = goingOn.get(task);
    if (known != null) {
      entered(known); // it may meet another before it calls us
    }
    do {
      comeback.expect(task);
      task.run();
    } while (comeback.isBack(task, current));
  }
}
