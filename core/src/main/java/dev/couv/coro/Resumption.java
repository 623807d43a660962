// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.StackRoom;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One explicit resumption: who waits for the resumed strand to suspend, and what it is told. The
/// resumer is another strand, or the loop's thread between runs.
///
/// ```
///            await              release
///   ASKED ──────────▶ AWAITED ──────────▶ RELEASED
///     └──────────────────────────────────────┘
///       release: the target was quicker than the resumer, which parked before it could wait
/// ```
final class Resumption {
  private enum State {
    ASKED,
    AWAITED,
    RELEASED
  }

  private final @Nullable Strand resumer;
  private final List<@Nullable Object> values;
  private State state = State.ASKED;
  private @Nullable Object value;
  private @Nullable Throwable failure;

  /// Who asked after it, of those that the target has not got to yet. Owned by the target.
  @Nullable Resumption next;

  private Resumption(@Nullable Strand resumer, List<@Nullable Object> values) {
    this.resumer = resumer;
    this.values = values;
  }

  /// What the target's await returns.
  List<@Nullable Object> values() {
    return values;
  }

  /// Runs the target at once, nested, until it suspends or ends; returns or throws what it hands
  /// over.
  static @Nullable Object resume(Strand target, @Nullable Object... values) throws Exception {
    StackRoom.toWait();
    Scheduler scheduler = target.scheduler();
    scheduler.checkInside(target);
    target.adopt();
    Strand self = Strand.currentOrNull();
    checkResumable(target, self);
    List<@Nullable Object> passed = Collections.unmodifiableList(Arrays.asList(values.clone()));
    Resumption resumption = new Resumption(self, passed);
    target.resumed(resumption);
    if (self == null) {
      scheduler.runAdvanced();
    } else if (resumption.state == State.ASKED) {
      resumption.state = State.AWAITED;
      self.waitForResumed(resumption);
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
              target.isBlockedOutsideOfAwait()
                  ? "blocks in plain Java code, not in an await"
                  : null;
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
    State before = state;
    state = State.RELEASED;
    if (before == State.AWAITED && resumer != null) {
      resumer.resumedSuspended();
    }
  }

  /// The resumer could not wait, and goes on; the target runs later, by itself.
  void giveUp() {
    state = State.RELEASED;
  }

  /// The target has ended before it came to this.
  void refuse(Strand target) {
    hand(null, new IllegalStateException("cannot resume " + target + ": it has ended"));
    release();
  }
}
