// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import dev.couv.loop.EventLoop;
import dev.couv.memory.MemoryProcess;
import dev.couv.strand.Scheduler;
import dev.couv.strand.Strand;
import dev.couv.world.LoopThreads;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A loop of a simulated host, with what must be known of it between its turns: that of the program or of a child, or one of a
/// pool.
final class HostLoop {
  private static final long A_MOMENT = 50_000;

  private final MemoryProcess process;
  private final Turn turn;
  private final Runnable end;
  private @Nullable Scheduler scheduler;
  private boolean over;
  private boolean waitedInRealTime;

  /// Runs once what is ready, and waits a moment for other threads if it is told so. False if it is to end.
  interface Turn {
    boolean run(boolean waits);
  }

  HostLoop(MemoryProcess process, Turn turn, Runnable end) {
    this.process = process;
    this.turn = turn;
    this.end = end;
  }

  /// One of a pool.
  static HostLoop of(MemoryProcess process, LoopThreads.Member member, Outsiders outsiders) {
    HostLoop made =
        new HostLoop(
            process,
            waits -> {
              if (waits) {
                LockSupport.parkNanos(A_MOMENT);
              }
              return member.turn();
            },
            member::end);
    member.begin();
    member.post(() -> made.begun(outsiders));
    return made;
  }

  /// Whose loop it is.
  MemoryProcess process() {
    return process;
  }

  /// In a coroutine of it.
  void begun(Outsiders outsiders) {
    Scheduler running = Strand.current("Simulation").scheduler();
    outsiders.watch(process.node().name(), running.events());
    scheduler = running;
  }

  /// What other threads do takes none of the simulation's time: it is waited for, unless that is to be done later.
  void turn(Offloads later) {
    if (process.isStopped()) {
      return;
    }
    boolean goesOn = turn.run(false);
    while (goesOn
        && scheduler != null
        && later.isEmpty()
        && scheduler.events().liveness().isWorking()) {
      goesOn = turn.run(true);
    }
    if (!goesOn) {
      end();
    }
  }

  /// Without waiting for anything.
  void turnOnce() {
    if (!process.isStopped() && !turn.run(false)) {
      end();
    }
  }

  /// Does nothing the second time.
  void end() {
    if (!over) {
      over = true;
      waitedInRealTime = hasWaitedInRealTime();
      scheduler = null;
      end.run();
    }
  }

  boolean isOver() {
    return over;
  }

  boolean isBusy(HostClock clock) {
    if (process.isStopped()) {
      return false;
    }
    Scheduler now = scheduler;
    if (now == null) {
      return !over; // it has not begun
    }
    EventLoop events = now.events();
    return now.ready() > 0 || events.hasPosted() || isDue(events, clock);
  }

  private static boolean isDue(EventLoop events, HostClock clock) {
    return !events.timers().isEmpty() && events.timers().nextDeadline() - clock.nanos() <= 0;
  }

  /// When its next deadline is, of the simulation's time.
  long nextDeadline(HostClock clock) {
    Scheduler now = scheduler;
    return now == null || process.isStopped() || now.events().timers().isEmpty()
        ? Long.MAX_VALUE
        : clock.momentOf(now.events().timers().nextDeadline());
  }

  /// Of its coroutines those that block in plain Java code.
  Iterable<Thread> blocked() {
    Scheduler now = scheduler;
    return now == null ? List.of() : now.blocked();
  }

  /// Whether one of them did for some time, if it does not any more.
  boolean hasWaitedInRealTime() {
    Scheduler now = scheduler;
    return now == null ? waitedInRealTime : now.hasWaitedInRealTime();
  }
}
