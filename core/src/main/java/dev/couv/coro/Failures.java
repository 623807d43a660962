// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Wording;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Executors;

/// The failures that nobody awaits.
///
/// A coroutine may fail just before somebody awaits it. So a failure is nobody's only when everyone
/// who was ready at that moment has had a turn and none of them has claimed it; then it goes to the
/// scope, once.
final class Failures {
  private static final System.Logger LOG = System.getLogger("dev.couv");

  private record Unclaimed(Strand strand, long added) {}

  private final Scheduler scheduler;
  private final ArrayDeque<Unclaimed> unclaimed = new ArrayDeque<>(2);

  Failures(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  void add(Strand strand, long added) {
    unclaimed.add(new Unclaimed(strand, added));
  }

  /// Hands on what nobody claimed in time. `idle` if nothing at all is ready.
  void settle(boolean idle) {
    for (Unclaimed oldest; (oldest = unclaimed.peek()) != null; ) {
      if (!idle && !scheduler.haveRun(oldest.added)) {
        return;
      }
      unclaimed.remove();
      Strand strand = oldest.strand;
      if (!strand.ending().isClaimed()) {
        strand.ending().claim();
        strand.scope().failed(strand);
      }
      strand.scope().settled();
    }
  }

  boolean isSettled() {
    return unclaimed.isEmpty();
  }

  /// Logs a failure that reaches nobody, with its trace.
  void report(Strand strand, Throwable failure) {
    String message = describe(strand);
    log(() -> LOG.log(System.Logger.Level.ERROR, message, Wording.printable(failure)));
  }

  /// Logs what a handler of a coroutine's end has thrown; the coroutine itself did not fail.
  void reportHandler(Strand strand, Throwable failure) {
    String message =
        "an end handler of coroutine "
            + strand.name()
            + " threw; the coroutine was spawned at "
            + strand.site();
    log(() -> LOG.log(System.Logger.Level.ERROR, message, failure));
  }

  /// Logs the failure of a scope whose owner is cancelled: that is silent, and so would be the failure.
  void reportScope(Strand owner, Throwable failure) {
    String message =
        "a scope of coroutine "
            + owner.name()
            + ", which is cancelled, ended with a failure; the coroutine was spawned at "
            + owner.site();
    log(() -> LOG.log(System.Logger.Level.ERROR, message, Wording.printable(failure)));
  }

  /// Logs that an end handler failed, or that something a scope owned did not close.
  void reportEnd(Scope scope, Throwable failure) {
    String message = "the end of " + scope + " failed: a handler, or closing what it owned";
    log(() -> LOG.log(System.Logger.Level.ERROR, message, failure));
  }

  /// Logs that nobody but another thread could wake those who are left.
  void reportWaiting(List<Strand> stuck, long millis) {
    String message =
        "only another thread could wake the coroutines of this loop, and none has for "
            + millis
            + " ms. The loop waits; if nobody comes, it is a deadlock, which a strict run throws"
            + " (-D"
            + Outsiders.STRICT
            + "=true):\n"
            + Dump.list(scheduler, stuck);
    log(() -> LOG.log(System.Logger.Level.WARNING, message));
  }

  /// Logs which coroutine ends the loop's run. The failure itself is what the run throws.
  void reportEnding(Strand strand, Throwable failure) {
    String message = describe(strand) + ". The loop ends with it: " + Wording.of(failure);
    log(() -> LOG.log(System.Logger.Level.ERROR, message));
  }

  /// On another thread: a logger takes locks that a coroutine may hold, and writes where it may have
  /// to wait. A coroutine waits for it, so that the loop does not end before.
  private void log(Runnable action) {
    Action body =
        () ->
            Loop.offload(
                Executors.callable(
                    () -> {
                      try {
                        action.run();
                      } catch (RuntimeException | Error brokenLogger) {
                        // There is no other place to tell it: a report of it would fail likewise.
                      }
                    }));
    Coroutine<?> report = Coroutine.prepared(scheduler, Coroutine.body(body), action);
    report.strand().shield();
    report.named("report").begin();
  }

  private static String describe(Strand strand) {
    return "coroutine "
        + strand.name()
        + " failed and nobody awaits it; it was spawned at "
        + strand.site();
  }
}
