// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Outcomes;
import dev.couv.strand.Strand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One run of a whole program on a new loop: from the start of its first coroutine until none is
/// left.
final class MainRun<T extends @Nullable Object> {
  private final LoopKeeper keeper;
  private final LoopOptions options;
  private final Coroutine<T> main;

  MainRun(LoopKeeper keeper, LoopOptions options, Body<T> body, Object site) {
    this.keeper = keeper;
    this.options = options;
    this.main = new Coroutine<>(keeper.root, body, site).named("main");
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the result is what the body of type T returned
  T run() throws Exception {
    Block root = keeper.root;
    root.main(main.strand());
    main.strand().begin();
    ArmedTriggers triggers = ArmedTriggers.arm(keeper.loop::shutdown, options.shutdownOn());
    try {
      do {
        drive(root);
      } while (keeper.isFinished()
          && root.failure.first() == null
          && root.end.begin(keeper.shutdown::isOverdue));
    } finally {
      triggers.close();
    }
    keeper.endAll("the loop ended");
    Throwable failure = root.failure.first();
    if (failure == null && !wasCutShort()) {
      failure = main.strand().outcome();
    }
    if (failure != null) {
      throw Outcomes.rethrow(failure);
    }
    return (T) main.strand().ending().result();
  }

  private void drive(Block root) {
    if (!keeper.driveRun(() -> isOver(root))) {
      List<Strand> stuck = root.nesting.activeStrands();
      root.fail(
          new Deadlock(
              Dump.list(stuck, keeper.scheduler.events().clock()),
              List.copyOf(stuck.stream().map(Coroutine::of).toList())),
          "nothing could wake it");
    }
  }

  /// It ends as it was asked to: with nothing.
  private boolean wasCutShort() {
    return keeper.shutdown.isRequested() && main.status() == Status.CANCELLED;
  }

  /// When it failed it is over too: what is left only unwinds.
  private boolean isOver(Block root) {
    return keeper.scheduler.isHalted()
        || root.failure.first() != null
        || keeper.shutdown.isOverdue()
        || keeper.isFinished();
  }
}
