// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.Transition;
import dev.couv.loop.Wording;
import dev.couv.strand.Strand;
import dev.couv.strand.Until;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Arms an event when it is wanted and disarms it when it is not, one after the other and never both at
/// once: the event's code for either may wait, and others come and go meanwhile.
///
/// Whoever finds it wanted and not armed arms it, in its own coroutine, and is thrown what comes of it.
/// Those who come meanwhile wait; if it could not be armed, the next of them tries. Whoever arms it
/// looks afterwards whether it is still wanted.
final class Arming {
  /// ```
  ///            arm            armed           disarm
  ///   IDLE ─────────▶ ARMING ───────▶ ARMED ─────────▶ DISARMING
  ///    ▲  ▲   refused   │                                 │ disarmed
  ///    │  └─────────────┘                                 │
  ///    └──────────────────────────────────────────────────┘
  /// ```
  @CheckReturnValue
  private enum Stage {
    IDLE,
    ARMING,
    ARMED,
    DISARMING;

    Stage arm() {
      return Transition.require(this, this == IDLE, "arm", ARMING);
    }

    Stage armed() {
      return Transition.require(this, this == ARMING, "armed", ARMED);
    }

    /// It threw.
    Stage refused() {
      return Transition.require(this, this == ARMING, "refused", IDLE);
    }

    Stage disarm() {
      return Transition.require(this, this == ARMED, "disarm", DISARMING);
    }

    /// Also if it threw.
    Stage disarmed() {
      return Transition.require(this, this == DISARMING, "disarmed", IDLE);
    }
  }

  private Stage stage = Stage.IDLE;

  /// Who is arming or disarming it; null on the loop's thread, which cannot wait in the middle of it.
  private @Nullable Strand mover;

  /// Those who wait for that.
  private @Nullable Until waiting;

  /// What is done when it is disarmed for good.
  private @Nullable Runnable last;

  boolean isArmed() {
    return stage == Stage.ARMED;
  }

  /// Arms it, unless it is armed or not wanted. If somebody is at it whom the caller cannot wait for, a coroutine does.
  void arm(Event<?> event) {
    while (event.isWanted()) {
      switch (stage) {
        case ARMED -> {
          return;
        }
        case IDLE -> {
          start(event);
          return;
        }
        case ARMING, DISARMING -> {
          if (!canWait()) {
            Block root = LoopKeeper.of(event.scheduler()).root;
            String name = "start of " + Wording.of(event);
            Chore.begin(event.scheduler(), root, name, () -> arm(event));
            return;
          }
          await(this::isSettled, event);
        }
      }
    }
  }

  /// Disarms it if it is armed and not wanted. If somebody is arming it, that one does.
  void disarmUnwanted(Event<?> event) {
    if (stage != Stage.ARMED || event.isWanted()) {
      return;
    }
    stage = stage.disarm();
    begin(event);
    try {
      shielded(event::onStop);
    } finally {
      end(stage.disarmed(), event);
    }
  }

  /// Runs it when the event, which is not wanted any more, is disarmed. Waits for whoever is at that, if
  /// it can.
  void whenIdle(Event<?> event, Runnable action) {
    if (stage == Stage.IDLE) {
      shielded(action);
      return;
    }
    last = action;
    if (canWait()) {
      shielded(() -> await(() -> last == null, event));
    }
  }

  private void start(Event<?> event) {
    stage = stage.arm();
    begin(event);
    boolean armed = false;
    try {
      event.onStart();
      armed = true;
    } finally {
      end(armed ? stage.armed() : stage.refused(), event);
    }
    disarmUnwanted(event);
  }

  private void begin(Event<?> event) {
    mover = Strand.currentOrNull();
    event.keepAlive();
  }

  private void end(Stage next, Event<?> event) {
    stage = next;
    mover = null;
    event.keepAlive();
    try {
      if (stage == Stage.IDLE && last != null) {
        shielded(last);
      }
    } finally {
      last = stage == Stage.IDLE ? null : last;
      if (waiting != null) {
        waiting.changed();
      }
    }
  }

  /// It is clean-up: a cancelled coroutine can wait for it.
  private static void shielded(Runnable action) {
    Strand current = Strand.currentOrNull();
    if (current == null) {
      action.run();
    } else {
      current.regions().shielded(action);
    }
  }

  private boolean isSettled() {
    return stage == Stage.IDLE || stage == Stage.ARMED;
  }

  /// Not for itself, nor on the loop's thread.
  private boolean canWait() {
    Strand current = Strand.currentOrNull();
    return current != null && current != mover;
  }

  private void await(BooleanSupplier met, Event<?> event) {
    if (waiting == null) {
      waiting = new Until();
    }
    waiting.await(met, "the arming of " + Wording.of(event));
  }
}
