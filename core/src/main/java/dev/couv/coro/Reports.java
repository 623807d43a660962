// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Wording;
import dev.couv.strand.Group;
import dev.couv.strand.Scheduler;
import dev.couv.strand.Strand;
import dev.couv.strand.Suspension;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// What reaches nobody but the log.
final class Reports {
  private static final System.Logger LOG = System.getLogger("dev.couv");

  private final Scheduler scheduler;
  private final Supplier<? extends Group> root;

  /// `root` is where the coroutines belong that write the log.
  Reports(Scheduler scheduler, Supplier<? extends Group> root) {
    this.scheduler = scheduler;
    this.root = root;
  }

  /// A failure that reaches nobody, with its trace.
  void failure(Strand strand, Throwable failure) {
    error(describe(strand), Wording.printable(failure));
  }

  /// What a handler of a coroutine's end has thrown; the coroutine itself did not fail.
  void handlerFailed(Strand strand, Throwable failure) {
    error(describe("an end handler of coroutine %s threw", strand), failure);
  }

  /// The failure of a scope whose owner is cancelled: that is silent, and so would be the failure.
  void scopeFailed(Strand owner, Throwable failure) {
    String what = "a scope of coroutine %s, which is cancelled, ended with a failure";
    error(describe(what, owner), Wording.printable(failure));
  }

  /// An end handler failed, or something a scope owned did not close.
  void endFailed(Object scope, Throwable failure) {
    error("the end of " + scope + " failed: a handler, or closing what it owned", failure);
  }

  /// Nobody but another thread could wake those who are left.
  void waiting(String listing, String strictProperty, long millis) {
    String message =
        """
        only another thread could wake the coroutines of this loop, and none has for %d ms. \
        The loop waits; if nobody comes, it is a deadlock, which a strict run throws (-D%s=true):
        %s\
        """
            .formatted(millis, strictProperty, listing);
    log(() -> LOG.log(System.Logger.Level.WARNING, message));
  }

  /// Which coroutine ends the loop's run. The failure itself is what the run throws.
  void ending(Strand strand, Throwable failure) {
    String message = describe(strand) + ". The loop ends with it: " + Wording.of(failure);
    log(() -> LOG.log(System.Logger.Level.ERROR, message));
  }

  private void error(String message, Throwable failure) {
    log(() -> LOG.log(System.Logger.Level.ERROR, message, failure));
  }

  /// On another thread: a logger takes locks that a coroutine may hold, and writes where it may have
  /// to wait. A coroutine waits for it, so that the loop does not end before.
  private void log(Runnable action) {
    Chore.beginShielded(
        scheduler,
        root.get(),
        "report",
        () ->
            Suspension.offload(
                "report",
                Executors.callable(
                    () -> {
                      try {
                        action.run();
                      } catch (RuntimeException | Error brokenLogger) {
                        // There is no other place to tell it: a report of it would fail likewise.
                      }
                    })));
  }

  private static String describe(Strand strand) {
    return describe("coroutine %s failed and nobody awaits it", strand);
  }

  /// With the name of the coroutine in `what` happened, and where it comes from.
  private static String describe(String what, Strand strand) {
    return what.formatted(strand.name()) + "; the coroutine was spawned at " + strand.site();
  }
}
