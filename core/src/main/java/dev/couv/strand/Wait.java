// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Operation;
import dev.couv.loop.Slot;
import dev.couv.loop.Waiter;
import dev.couv.loop.Wording;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One await of a strand, from the door in to the door out: where it is, and how it ended. A strand has
/// one, its [Suspending], and uses it again and again; only an await inside the start of another gets its own.
///
/// Every call of the JDK may park the coroutine that makes it, on either side of an await, and the loop
/// goes on with the others. So what is told to a wait that somebody is in the middle of is only
/// recorded: [WaitPhase]. No operation has to know.
///
/// Confined to the loop, like the strand.
class Wait implements Waiter {
  /// Why the strand goes on.
  enum Wake {
    COMPLETED,
    RESUMED,
    CANCELLED
  }

  /// How the operation and the strand stand with each other.
  private enum Tie {
    /// The operation will tell the strand.
    AWAITED,
    /// It has.
    TOLD,
    /// It has let go of it, and will not.
    CUT
  }

  final Suspendable strand;

  private WaitPhase phase = WaitPhase.IDLE;
  private Tie tie = Tie.CUT;
  private @Nullable Operation operation;
  private Wake wake = Wake.COMPLETED;
  private List<@Nullable Object> values = List.of();

  Wait(Suspendable strand) {
    this.strand = strand;
  }

  final WaitPhase phase() {
    return phase;
  }

  /// What is awaited.
  final Operation operation() {
    if (operation == null) {
      throw new AssertionError("no await");
    }
    return operation;
  }

  final Wake wake() {
    return wake;
  }

  /// What a resume has passed.
  final List<@Nullable Object> values() {
    return values;
  }

  // ---- on the strand's own thread

  /// True if the operation was complete at once. If it throws, nothing was started.
  final boolean start(Operation awaited) {
    operation = awaited;
    phase = phase.begin();
    tie = Tie.AWAITED;
    if (!awaited.start(this)) {
      phase = phase.settle();
      return false;
    }
    tie = Tie.TOLD;
    end(Wake.COMPLETED);
    return true;
  }

  /// A wait that needs no start: nothing ends it but a resume or a cancellation.
  final void startSettled(ExplicitResume how) {
    operation = how;
    phase = phase.beginSettled();
    tie = Tie.AWAITED;
  }

  /// One that is over, and only lets the others run.
  final void startEnded(Operation done) {
    operation = done;
    phase = phase.beginSettled();
    tie = Tie.TOLD;
    end(Wake.COMPLETED);
  }

  /// Whether what came on the way in has ended it. After a no nothing may park before [#suspend].
  final boolean isOverAlready() {
    if (resumedEarly() || toldEarly()) {
      return true;
    }
    if (strand.unwindsTo() == null) {
      return false;
    }
    phase = phase.leave();
    boolean left = operation().tryCancel();
    phase = phase.stay(WaitPhase.SETTLING);
    if (left) {
      cut();
    }
    if (resumedEarly() || toldEarly()) {
      return true;
    }
    if (left) {
      end(Wake.CANCELLED);
    }
    return left; // else its completion is on its way
  }

  private boolean resumedEarly() {
    Resumption asking = strand.resuming().takeAsking();
    if (asking != null) {
      end(Wake.RESUMED);
      values = asking.values;
    }
    return asking != null;
  }

  private boolean toldEarly() {
    if (tie == Tie.TOLD) {
      end(Wake.COMPLETED);
    }
    return tie == Tie.TOLD;
  }

  final void suspend() {
    phase = phase.suspend();
  }

  /// The thread could not leave the loop's, or had no stack to go on: the await does not take place.
  final void undo() {
    if (phase == WaitPhase.WAITING) {
      end(Wake.RESUMED);
    }
    giveBack();
  }

  /// Throws if it did not end by its completion.
  final void check() {
    switch (wake) {
      case COMPLETED -> {}
      case RESUMED -> {
        giveBack();
        throw strand.scheduler().keeper().resumed(Wording.of(operation()), values);
      }
      case CANCELLED -> throw strand.regions().cancelled();
    }
  }

  /// Makes the operation let go of the strand, and hand on what it has brought.
  private void giveBack() {
    Tie before = tie;
    tie = Tie.CUT;
    switch (before) {
      case AWAITED -> operation().cancel();
      case TOLD -> operation().surrender();
      case CUT -> {}
    }
  }

  /// Through the door out, also if something was thrown on the way in: then the operation lets go.
  final void over() {
    try {
      if (phase == WaitPhase.SETTLING || phase == WaitPhase.LEAVING) {
        giveBack();
      }
    } finally {
      phase = phase.over();
      tie = Tie.CUT;
      operation = null;
      values = List.of();
    }
  }

  // ---- by others

  @Override
  public final Slot slot() {
    return strand.slot();
  }

  @Override
  public final void completed() {
    if (tie != Tie.AWAITED) {
      throw new AssertionError(operation + " told a wait that is " + phase + " and " + tie);
    }
    tie = Tie.TOLD;
    if (phase == WaitPhase.WAITING) {
      wake(Wake.COMPLETED, Placement.BACK);
    }
  }

  /// The strand is suspended here and was cancelled. Whoever comes second leaves it to the first.
  final void cancelled() {
    if (phase != WaitPhase.WAITING) {
      return;
    }
    phase = phase.leave();
    boolean left = true; // also where the operation cannot say: the strand must not be lost
    try {
      left = operation().tryCancel();
    } finally {
      left(left);
    }
  }

  /// The canceller is through with the operation.
  private void left(boolean left) {
    if (left) {
      cut();
    }
    Resumption asking = strand.resuming().takeAsking();
    if (asking != null) {
      values = asking.values;
      wake(Wake.RESUMED, Placement.NEXT);
    } else if (left) {
      wake(Wake.CANCELLED, Placement.BACK);
    } else if (tie == Tie.TOLD) {
      wake(Wake.COMPLETED, Placement.BACK);
    } else {
      phase = phase.stay(WaitPhase.WAITING); // too late: it will be told, and its next await throws
    }
  }

  /// Somebody resumes the strand, which is suspended here, or was until it got ready. It lets go of the
  /// operation itself, when it runs.
  final void resumed(List<@Nullable Object> passed) {
    values = passed;
    if (phase == WaitPhase.WAITING) {
      wake(Wake.RESUMED, Placement.NEXT);
    } else {
      wake = Wake.RESUMED;
    }
  }

  /// The operation says that it was cancelled in time.
  private void cut() {
    assert tie == Tie.AWAITED : operation + " was cancelled and has told its waiter";
    tie = Tie.CUT;
  }

  private void wake(Wake why, Placement placement) {
    end(why);
    strand.woken(placement);
  }

  private void end(Wake why) {
    phase = phase.end();
    wake = why;
  }
}
