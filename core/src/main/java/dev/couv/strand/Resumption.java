// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.Transition;
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
  @CheckReturnValue
  private enum State {
    ASKED,
    AWAITED,
    RELEASED;

    State await() {
      return Transition.require(this, this == ASKED, "await", AWAITED);
    }

    /// Also a second time: by who gave up, and by the target.
    State release() {
      return RELEASED;
    }
  }

  /// How the resumer is told to go on; null if that is the loop's thread.
  private final @Nullable Runnable resumer;

  /// What the target's await returns.
  final List<@Nullable Object> values;

  private State state = State.ASKED;
  private @Nullable Object value;
  private @Nullable Throwable failure;

  /// Who asked after it, of those that the target has not got to yet. Owned by the target.
  @Nullable Resumption next;

  Resumption(@Nullable Runnable resumer, List<@Nullable Object> values) {
    this.resumer = resumer;
    this.values = values;
  }

  /// The resumer is about to wait. False if it need not.
  boolean awaited() {
    boolean waits = state == State.ASKED;
    if (waits) {
      state = state.await();
    }
    return waits;
  }

  /// What the resumed strand yielded, or ended with.
  void hand(@Nullable Object newValue, @Nullable Throwable newFailure) {
    value = newValue;
    failure = newFailure;
  }

  /// What was handed over, or thrown.
  @Nullable Object handed() throws Exception {
    if (failure != null) {
      throw Outcomes.rethrow(failure);
    }
    return value;
  }

  /// The resumer goes on before everybody else.
  void release() {
    State before = state;
    state = state.release();
    if (before == State.AWAITED && resumer != null) {
      resumer.run();
    }
  }

  /// The resumer could not wait, and goes on; the target runs later, by itself.
  void giveUp() {
    state = state.release();
  }

  /// The target has ended before it came to this.
  void refuse(Object target) {
    hand(null, new IllegalStateException("cannot resume " + target + ": it has ended"));
    release();
  }
}
