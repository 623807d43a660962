// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.Caller;
import dev.couv.loop.Wording;
import dev.couv.strand.LoopLocal;
import dev.couv.strand.Suspension;
import java.lang.ref.Cleaner;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The failures of promises that nobody has looked at so far. Each is logged once, with where it came
/// from: when its loop ends, or when its promise is garbage, so that nobody can look at it any more.
final class UnseenFailures implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.couv");
  private static final Cleaner CLEANER = Cleaner.create();

  private static final LoopLocal<UnseenFailures> OF_LOOP = new LoopLocal<>(UnseenFailures::new);

  /// Those of promises that were made outside of a loop.
  private static final UnseenFailures HOMELESS = new UnseenFailures();

  private final Set<Unseen> unseen = ConcurrentHashMap.newKeySet(1);

  private UnseenFailures() {}

  static UnseenFailures ofCaller() {
    return Suspension.isInCoroutine() ? OF_LOOP.get("a promise") : HOMELESS;
  }

  /// A promise has failed, and nobody awaits it; as long as there is the `pledge`, somebody may. Any thread.
  Unseen watch(Object pledge, Throwable cause, @Nullable String origin) {
    Unseen failure =
        new Unseen(
            this,
            cause,
            origin == null ? "it was broken at " + Caller.place(Caller.frame()) : origin);
    unseen.add(failure);
    CLEANER.register(pledge, failure::report);
    return failure;
  }

  /// The loop ends.
  @Override
  public void close() {
    unseen.forEach(Unseen::report);
  }

  /// A failure that is reported unless somebody looks at it first. Must not refer to the promise.
  static final class Unseen {
    private final UnseenFailures all;
    private final Throwable cause;
    private final String origin;

    private Unseen(UnseenFailures all, Throwable cause, String origin) {
      this.all = all;
      this.cause = cause;
      this.origin = origin;
    }

    /// Somebody looks at it. Any thread.
    void seen() {
      all.unseen.remove(this);
    }

    /// Not on a loop's thread while that runs: loggers take locks.
    private void report() {
      if (all.unseen.remove(this)) {
        LOG.log(
            System.Logger.Level.ERROR,
            "a promise was broken and nobody has looked at it; " + origin,
            Wording.printable(cause));
      }
    }
  }
}
