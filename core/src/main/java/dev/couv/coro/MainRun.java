// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One run of a whole program on a new loop: from the start of its first coroutine until none is
/// left.
final class MainRun<T extends @Nullable Object> {
  private final Scheduler scheduler;
  private final LoopOptions options;
  private final Coroutine<T> main;

  MainRun(Scheduler scheduler, LoopOptions options, Body<T> body, Object site) {
    this.scheduler = scheduler;
    this.options = options;
    this.main = Coroutine.prepared(scheduler, body, site).named("main");
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the result is what the body of type T returned
  T run() throws Exception {
    Scope root = scheduler.root();
    root.main(main.strand());
    main.begin();
    ArmedTriggers triggers = ArmedTriggers.arm(scheduler.loop(), options);
    try {
      do {
        drive(root);
      } while (isFinished() && root.failure() == null && root.beginEnd());
    } finally {
      triggers.close();
    }
    scheduler.endAll("the loop ended");
    Throwable failure = root.failure();
    if (failure == null && !wasCutShort()) {
      failure = main.strand().outcome();
    }
    if (failure != null) {
      throw Outcomes.rethrow(failure);
    }
    return (T) main.strand().ending().result();
  }

  private void drive(Scope root) {
    if (!scheduler.driveRun(() -> isOver(root))) {
      List<Strand> stuck = root.nesting().activeStrands();
      root.fail(
          new Deadlock(
              Dump.list(scheduler, stuck),
              List.copyOf(stuck.stream().map(Strand::coroutine).toList())),
          "nothing could wake it");
    }
  }

  /// It ends as it was asked to: with nothing.
  private boolean wasCutShort() {
    return scheduler.shutdown().isRequested() && main.status() == Status.CANCELLED;
  }

  /// When it failed it is over too: what is left only unwinds.
  private boolean isOver(Scope root) {
    return scheduler.isHalted()
        || root.failure() != null
        || scheduler.shutdown().isOverdue()
        || isFinished();
  }

  private boolean isFinished() {
    return scheduler.active() == 0 && scheduler.isSettled();
  }
}
