// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Outcomes;
import dev.couv.strand.Strand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One run of a whole program on a new loop: from the start of its first coroutine until none is
/// left.
final class MainRun<T extends @Nullable Object> {
  private final LoopHost host;
  private final LoopOptions options;
  private final Coroutine<T> main;

  MainRun(LoopHost host, LoopOptions options, Body<T> body, Object site) {
    this.host = host;
    this.options = options;
    this.main = new Coroutine<>(host.root(), body, site).named("main");
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the result is what the body of type T returned
  T run() throws Exception {
    Block root = host.root();
    root.main(main.strand());
    main.strand().begin();
    ArmedTriggers triggers = ArmedTriggers.arm(host.loop()::shutdown, options.shutdownOn());
    try {
      do {
        drive(root);
      } while (host.isFinished()
          && root.failure().first() == null
          && root.end().begin(host.shutdown()::isOverdue));
    } finally {
      triggers.close();
    }
    host.endAll("the loop ended");
    Throwable failure = root.failure().first();
    if (failure == null && !wasCutShort()) {
      failure = main.strand().outcome();
    }
    if (failure != null) {
      throw Outcomes.rethrow(failure);
    }
    return (T) main.strand().ending().result();
  }

  private void drive(Block root) {
    if (!host.driveRun(() -> isOver(root))) {
      List<Strand> stuck = root.nesting().activeStrands();
      root.fail(
          new Deadlock(
              Dump.list(stuck, host.scheduler().events().clock()),
              List.copyOf(stuck.stream().map(Coroutine::of).toList())),
          "nothing could wake it");
    }
  }

  /// It ends as it was asked to: with nothing.
  private boolean wasCutShort() {
    return host.shutdown().isRequested() && main.status() == Status.CANCELLED;
  }

  /// When it failed it is over too: what is left only unwinds.
  private boolean isOver(Block root) {
    return host.scheduler().isHalted()
        || root.failure().first() != null
        || host.shutdown().isOverdue()
        || host.isFinished();
  }
}
