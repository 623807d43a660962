// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One explicit resumption: who waits for the resumed strand to suspend, and what it is told. The
/// resumer is another strand, or the loop's thread between runs.
final class Resumption {
  private final @Nullable Strand resumer;
  private @Nullable Object value;
  private @Nullable Throwable failure;

  private Resumption(@Nullable Strand resumer) {
    this.resumer = resumer;
  }

  /// Runs the target at once, nested, until it suspends or ends; returns or throws what it hands
  /// over.
  static @Nullable Object resume(Strand target, @Nullable Object... values) throws Exception {
    Scheduler scheduler = target.scheduler();
    scheduler.checkInside(target);
    target.adopt();
    Strand self = Strand.currentOrNull();
    checkResumable(target, self);
    Resumption resumption = new Resumption(self);
    List<@Nullable Object> passed = Collections.unmodifiableList(Arrays.asList(values.clone()));
    target.resumed(resumption, passed);
    if (self == null) {
      scheduler.runAdvanced();
    } else {
      self.waitForResumed(target);
    }
    if (resumption.failure != null) {
      throw Outcomes.rethrow(resumption.failure);
    }
    return resumption.value;
  }

  private static void checkResumable(Strand target, @Nullable Strand self) {
    if (target == self) {
      throw new IllegalStateException(target + " cannot resume itself");
    }
    String obstacle =
        switch (target.status()) {
          case RUNNING -> "is running";
          case NORMAL -> "is itself resuming another coroutine";
          case DONE, FAILED, CANCELLED -> "has ended";
          case SUSPENDED ->
              target.isBlocked() ? "blocks in plain Java code, not in an await" : null;
          case CREATED, READY -> null;
        };
    if (obstacle == null && target.isCancelRequested()) {
      obstacle = "was cancelled";
    }
    if (obstacle != null) {
      throw new IllegalStateException("cannot resume " + target + ": it " + obstacle);
    }
  }

  /// What the resumed strand yielded, or ended with.
  void hand(@Nullable Object newValue, @Nullable Throwable newFailure) {
    value = newValue;
    failure = newFailure;
  }

  /// The resumer goes on before everybody else.
  void release() {
    if (resumer != null) {
      resumer.resumedSuspended();
    }
  }
}
