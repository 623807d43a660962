// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.TimerEntry;
import dev.couv.strand.Polling;
import dev.couv.strand.Scheduler;
import dev.couv.strand.Strand;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The end of a loop: every coroutine is cancelled and unwinds. Those that wait under protection for what
/// cannot come any more lose the protection, and so do those that block in plain Java code, after a grace
/// period: then they are interrupted, whatever they have heard before, and given up if they do not
/// heed that either.
///
/// An end that was asked for has a grace period of its own, on the loop's clock. When it is over,
/// nobody is protected any more.
final class Shutdown {
  /// How long those that block have: on their own, and then, after the last interrupt, once more.
  private enum Allowance {
    GRACE(2_000_000_000L),
    SPENT(0),
    LAST(1_000_000_000L),
    NONE(0);

    final long nanos;

    Allowance(long nanos) {
      this.nanos = nanos;
    }
  }

  /// Runs the loop until something is so; false if nothing can happen any more.
  interface Drive {
    boolean until(BooleanSupplier done);
  }

  private final Scheduler scheduler;
  private final Block root;
  private final Drive drive;

  /// Whether every failure has found somebody.
  private final BooleanSupplier settled;

  private Allowance allowance = Allowance.GRACE;
  private boolean requested;
  private @Nullable TimerEntry deadline;

  Shutdown(Scheduler scheduler, Block root, Drive drive, BooleanSupplier settled) {
    this.scheduler = scheduler;
    this.root = root;
    this.drive = drive;
    this.settled = settled;
  }

  // ---- asked for

  /// Somebody asks for the end. Asked again, the shorter grace counts.
  void request(Duration grace) {
    requested = true;
    root.cancelEverybody("the loop is shut down");
    if (scheduler.strands() == 0 || allowance != Allowance.GRACE) {
      return;
    }
    long moment = scheduler.events().deadline(grace);
    if (deadline == null || moment - deadline.deadline() < 0) {
      removeDeadline();
      deadline = TimerEntry.of(this::overdue);
      scheduler.events().timers().add(deadline, moment);
    }
  }

  boolean isRequested() {
    return requested;
  }

  /// Whether it was asked for, and its grace is over.
  boolean isOverdue() {
    return requested && allowance != Allowance.GRACE;
  }

  private void overdue() {
    allowance = Allowance.SPENT;
    root.nesting.strands().forEach(Strand::unprotect);
    root.cancelEverybody("the loop is shut down"); // it reaches what was protected
  }

  /// The last coroutine has ended, or there is less time.
  void removeDeadline() {
    if (deadline != null) {
      scheduler.events().timers().remove(deadline);
      deadline = null;
    }
  }

  // ---- the end itself

  void run(String reason) {
    do {
      if (!end(reason)) {
        root.nesting.strands().forEach(Strand::unprotect);
        allowance = allowance == Allowance.SPENT ? Allowance.LAST : allowance;
        end(reason);
      }
    } while (root.end.begin(this::isOverdue));
  }

  /// False if some are left that nothing can wake, or that stay blocked.
  private boolean end(String reason) {
    while (!isOver()) {
      root.cancelEverybody(reason);
      boolean moved = drive.until(() -> isOver() || scheduler.areOnlyBlockedLeft());
      if (!moved || !outlastBlocked()) {
        return scheduler.strands() == 0;
      }
    }
    return true;
  }

  /// What another thread has spawned and the loop has not looked at yet is there too, and so is a
  /// failure that is still to be reported.
  private boolean isOver() {
    return scheduler.strands() == 0 && settled.getAsBoolean() && !scheduler.events().hasPosted();
  }

  /// Waits for those that block. False if they still do. The grace is on the machine's clock: a virtual one
  /// stands still for them.
  private boolean outlastBlocked() {
    if (scheduler.strands() == 0 || !scheduler.areOnlyBlockedLeft()) {
      return true;
    }
    if (allowance.nanos == 0) {
      return false;
    }
    Polling polling = scheduler.polling();
    polling.limit(System.nanoTime() + allowance.nanos);
    try {
      drive.until(() -> !scheduler.areOnlyBlockedLeft() || polling.isOverLimit());
    } finally {
      polling.unlimited();
    }
    if (!scheduler.areOnlyBlockedLeft()) {
      return true;
    }
    allowance = allowance == Allowance.GRACE ? Allowance.SPENT : Allowance.NONE;
    return false;
  }
}
