// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Operation;
import org.jspecify.annotations.Nullable;

/// A strand's way into its awaits and out of them. Everything here happens on the strand's own thread.
///
/// It is itself the outermost wait, which is used again and again; an await inside the start of another has its own.
///
/// Until [#switchOut] any call may park it: what comes meanwhile is recorded by its [Wait].
public final class Suspending extends Wait implements Door {
  /// A coroutine whose awaits are always ready lets the others run after this many.
  private static final int FREE_AWAITS = 64;

  private int freeAwaits;
  private long since;

  Suspending(Suspendable strand) {
    super(strand);
  }

  /// When its last await began, on the loop's clock.
  long since() {
    return since;
  }

  @Override
  public void await(Operation awaited) {
    throwIfCancelled();
    Wait outer = strand.wait;
    Wait begun = enter();
    try {
      if (begun.start(awaited)) {
        if (++freeAwaits < FREE_AWAITS) {
          return;
        }
        requeue();
      } else {
        suspend(begun);
      }
      begun.check();
    } finally {
      begun.over();
      strand.wait = outer;
    }
  }

  /// What this strand's next await goes through: another of its own if it is in one already, because
  /// arming what that waits for may wait itself.
  private Wait enter() {
    Wait begun = strand.wait == null ? this : new Wait(strand);
    strand.wait = begun;
    return begun;
  }

  /// Counted as well: a coroutine that does not heed it must not starve the others.
  private void throwIfCancelled() {
    if (strand.unwindsTo() != null) {
      if (++freeAwaits >= FREE_AWAITS) {
        giveTurn(); // where it is pinned it just goes on
      }
      strand.throwIfCancelled();
    }
  }

  /// An await that was ready: counted, so that it cannot go on for ever.
  public void pass() {
    throwIfCancelled();
    if (++freeAwaits >= FREE_AWAITS) {
      giveTurn();
      strand.throwIfCancelled();
    }
  }

  /// To the back of the ready queue.
  public void pause() {
    throwIfCancelled();
    if (!giveTurn()) {
      throw Pinned.error(ExplicitResume.PAUSE);
    }
    strand.throwIfCancelled();
  }

  /// To the back of the queue. False if its thread is pinned: then it keeps the turn.
  private boolean giveTurn() {
    Wait outer = strand.wait;
    Wait begun = enter();
    try {
      begun.startEnded(ExplicitResume.PAUSE);
      boolean given = requeue();
      begun.check();
      return given;
    } finally {
      begun.over();
      strand.wait = outer;
    }
  }

  /// Suspends until somebody resumes it, handing `values` to whoever does or did.
  public @Nullable Object yieldTo(ExplicitResume how, @Nullable Object handed) {
    throwIfCancelled();
    Wait outer = strand.wait;
    Wait begun = enter();
    try {
      begun.startSettled(how);
      strand.resuming().hand(handed, null);
      if (how == ExplicitResume.YIELD) {
        strand.releaseHandle();
      }
      suspend(begun);
      if (begun.wake() == Wait.Wake.CANCELLED) {
        throw strand.regions().cancelled();
      }
      return Outcomes.packed(begun.values());
    } finally {
      begun.over();
      strand.wait = outer;
    }
  }

  private void suspend(Wait awaited) {
    // A first turn may be long: classes are loaded and compiled.
    EventLoop events = strand.scheduler().events();
    since = since == 0 ? events.clock() : events.recently();
    Object recorded = Flight.isAwaitRecorded() ? Flight.await(strand, awaited.operation()) : null;
    boolean passive = strand.isInYield();
    settle(passive);
    if (awaited.isOverAlready()) {
      if (passive) {
        strand.group().activated();
      }
    } else {
      switchOut(awaited, passive);
    }
    Flight.awaited(recorded, awaited.wake());
  }

  /// The last that may park before it suspends.
  private void settle(boolean passive) {
    strand.settleSlot();
    if (passive) {
      strand.group().deactivated();
    }
  }

  /// From here on nothing parks but the switch.
  private void switchOut(Wait awaited, boolean passive) {
    freeAwaits = 0;
    awaited.suspend();
    strand.suspends();
    try {
      strand.scheduler().engine().switchOut(strand, awaited.operation());
    } catch (Throwable pinnedOrExhausted) {
      // The thread could not leave the loop's: undo everything, so that both stay usable.
      if (strand.stays() && passive) {
        strand.group().activated();
      }
      awaited.undo();
      throw pinnedOrExhausted;
    }
    strand.goesOn();
  }

  /// Gives the others a turn in the middle of an await that is complete already. False if its thread is
  /// pinned: then it keeps the turn.
  private boolean requeue() {
    freeAwaits = 0;
    since = strand.scheduler().events().recently();
    // The slot is not settled: it waits for nothing else, and an armed handle would lose events.
    strand.requeues();
    try {
      return strand.scheduler().engine().requeue(strand);
    } finally {
      strand.goesOn();
    }
  }

  /// Its body is over: what it has left behind is given up, and whoever resumed it waits for that.
  void end() {
    enter().startSettled(ExplicitResume.END);
    settle(false);
    strand.wait = null;
  }
}
