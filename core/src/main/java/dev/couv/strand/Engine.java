// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.EventLoop;
import org.jspecify.annotations.Nullable;

/// How coroutines get the loop's turn and give it back. One engine per loop, one kind per process:
///
/// - [LoopScheduledEngine]: virtual threads whose carrier is the loop's own thread. Needs
///   `--add-opens java.base/java.lang=dev.couv` (or `=ALL-UNNAMED`).
/// - [HandOverEngine]: ordinary virtual threads, which the loop's thread waits for while they have
///   the turn. Needs nothing, and is slower; a coroutine that blocks in plain Java code blocks its
///   loop.
///
/// Either way never two of a loop's coroutines run at once.
abstract sealed class Engine permits LoopScheduledEngine, HandOverEngine {
  private static final System.Logger LOG = System.getLogger("dev.couv");

  /// Set to `hand-over` to choose that engine although the flag is there.
  private static final String CHOICE = "couv.engine";

  private static final boolean LOOP_SCHEDULED = choose();

  static Engine create(Rota rota, EventLoop events, boolean timeVirtual) {
    return LOOP_SCHEDULED
        ? new LoopScheduledEngine(rota, events, timeVirtual)
        : new HandOverEngine(rota, events);
  }

  /// The one whose thread is calling, or null.
  static @Nullable Fiber current() {
    return LOOP_SCHEDULED ? LoopScheduledEngine.currentFiber() : HandOverEngine.currentFiber();
  }

  static String kind() {
    return LOOP_SCHEDULED ? "loop-scheduled" : "hand-over";
  }

  /// Makes the strand's thread and queues it for its first turn.
  abstract void start(Fiber fiber, Placement placement);

  /// Queues a strand that gave up its turn.
  abstract void ready(Fiber fiber, Placement placement);

  /// On the strand's thread: gives up the turn until the strand was made ready and is reached in
  /// the queue. `blocker` is what thread dumps show as the reason.
  ///
  /// @throws IllegalStateException if the thread cannot leave the loop's; then it still has the turn
  abstract void switchOut(Fiber fiber, Object blocker);

  /// On the strand's thread: gives up the turn and queues the strand at once. False if the thread
  /// cannot leave the loop's; then it still has the turn.
  abstract boolean requeue(Fiber fiber);

  /// Whether a strand that is ready is not in the queue yet.
  abstract boolean isAlive();

  /// The loop begins to run on this thread.
  abstract void enter();

  /// The loop stops running on this thread, for now.
  abstract void leave();

  /// The loop is closed for good; what its threads still want to run must run elsewhere.
  abstract void orphan(Runnable task);

  private static boolean choose() {
    if ("hand-over".equals(System.getProperty(CHOICE))) {
      return false;
    }
    String obstacle = VirtualThreads.obstacle();
    if (obstacle == null) {
      return true;
    }
    try {
      LOG.log(
          System.Logger.Level.INFO,
          "coroutines run on the slower hand-over engine: {0}. For the fast one start java with"
              + " --add-opens java.base/java.lang={1}",
          obstacle,
          Engine.class.getModule().isNamed() ? "dev.couv" : "ALL-UNNAMED");
    } catch (RuntimeException | Error brokenLogger) {
      return false; // the engine works all the same
    }
    return false;
  }
}
