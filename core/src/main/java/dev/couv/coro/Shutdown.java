// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

/// The end of a loop: every coroutine is cancelled and unwinds. Those that wait under protection for what
/// cannot come any more lose the protection; those that block in plain Java code and ignore their
/// interrupt are given up after a grace period.
final class Shutdown {
  private static final long GRACE_NANOS = 2_000_000_000L;

  private final Scheduler scheduler;
  private final Polling polling;
  private boolean graceOver;

  Shutdown(Scheduler scheduler, Polling polling) {
    this.scheduler = scheduler;
    this.polling = polling;
  }

  void run(String reason) {
    if (!end(reason)) {
      scheduler.root().allStrands().forEach(Strand::unprotect);
      end(reason);
    }
  }

  /// False if some are left that nothing can wake, or that stay blocked.
  private boolean end(String reason) {
    while (!isOver()) {
      scheduler.root().cancelEverybody(reason);
      boolean moved = scheduler.drive(() -> isOver() || scheduler.areOnlyBlockedLeft());
      if (!moved || !outlastBlocked()) {
        return scheduler.strands() == 0;
      }
    }
    return true;
  }

  /// What another thread has spawned and the loop has not looked at yet is there too, and so is a
  /// failure that is still to be reported.
  private boolean isOver() {
    return scheduler.strands() == 0 && scheduler.isSettled() && !scheduler.events().hasPosted();
  }

  /// Waits for those that block. False if they still do. The grace is on the machine's clock: a virtual one
  /// stands still for them.
  private boolean outlastBlocked() {
    if (scheduler.strands() == 0 || !scheduler.areOnlyBlockedLeft()) {
      return true;
    }
    if (graceOver) {
      return false;
    }
    polling.limit(System.nanoTime() + GRACE_NANOS);
    try {
      scheduler.drive(() -> !scheduler.areOnlyBlockedLeft() || polling.isOverLimit());
    } finally {
      polling.unlimited();
    }
    graceOver = scheduler.areOnlyBlockedLeft();
    return !graceOver;
  }
}
