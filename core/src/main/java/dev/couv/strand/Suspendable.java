// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Operation;
import dev.couv.loop.Slot;
import dev.couv.loop.StackRoom;
import dev.couv.loop.Wording;
import org.jspecify.annotations.Nullable;

/// A fiber that awaits, and is woken, cancelled and resumed: the half of a [Strand] that does not know what it runs, nor
/// how it ends.
///
/// Confined to the loop, like the strand.
public abstract class Suspendable extends Fiber implements Regions.Cancellable {
  private final Scheduler scheduler;

  /// Made when somebody needs them: most strands are never told to stop, and open no region.
  private @Nullable Regions regions;

  /// Whether regions that are made later are to begin as those of one whose body is over.
  private boolean shielded;

  /// Made at its first await: many end without one.
  private @Nullable Suspending suspending;

  private StrandState status = StrandState.CREATED;
  private @Nullable Slot slot;
  private @Nullable Waker waker;

  /// The innermost await in progress, if there is one. Owned by [Suspending].
  @Nullable Wait wait;

  /// Its own is made when somebody resumes it.
  private Resuming resuming = Resuming.NOBODY;

  Suspendable(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /// What is told whether it can go on by itself.
  abstract Activity group();

  /// Joins its group, if that is still to be done.
  abstract void adopt();

  /// Only an explicit resume will continue it: the handle is kept by its users alone.
  abstract void releaseHandle();

  // ---- what it is

  @Override
  final Rota rota() {
    return scheduler.rota();
  }

  public Scheduler scheduler() {
    return scheduler;
  }

  /// Where it is in its life.
  public StrandState status() {
    // It runs, but not here: it blocks in plain Java code, or is about to go on from that.
    return status == StrandState.RUNNING && !isRunningNow() ? StrandState.SUSPENDED : status;
  }

  private boolean isRunningNow() {
    return rota().current() == this;
  }

  /// Where it is, whether it has the loop's thread at this moment or not.
  StrandState state() {
    return status;
  }

  public boolean isEnded() {
    return status.isEnded();
  }

  /// Suspended where only an explicit resume continues it: it keeps nothing alive.
  public boolean isPassive() {
    return status == StrandState.CREATED || (status == StrandState.SUSPENDED && isInYield());
  }

  boolean isInYield() {
    return wait != null && wait.operation() == ExplicitResume.YIELD;
  }

  @Override
  boolean isBlocked() {
    return status == StrandState.RUNNING;
  }

  /// What it waits for, in words; null if it does not wait.
  public @Nullable String awaiting() {
    if (wait != null) {
      return Wording.of(wait.operation());
    }
    return status == StrandState.RUNNING && !isRunningNow() ? "plain Java code" : null;
  }

  /// What it waits for; null if it does not wait.
  public @Nullable Operation operation() {
    return wait == null ? null : wait.operation();
  }

  /// When its last await began, on the loop's clock.
  public long awaitingSince() {
    return suspending == null ? 0 : suspending.since();
  }

  // ---- suspending: on its own thread

  /// Its way into awaits and out of them.
  public Suspending suspending() {
    if (suspending == null) {
      suspending = new Suspending(this);
    }
    return suspending;
  }

  Slot slot() {
    if (slot == null) {
      slot = new Slot(scheduler.events());
    }
    return slot;
  }

  /// Gives up what it has completed and not begun again: it turns to something else, or ends.
  void settleSlot() {
    if (slot != null) {
      slot.settle();
    }
  }

  /// Its waker, or another while that is in use: arming what it waits for may be a wait itself.
  public Waker waker() {
    if (waker == null) {
      waker = new Waker(scheduler, this, suspending());
    }
    return waker.isInUse() ? waker.another() : waker;
  }

  /// Nothing parks from here on but the switch.
  void suspends() {
    rota().entered(this);
    status = status.suspend();
    resuming.release();
  }

  /// It gives up its turn, and is ready at once.
  void requeues() {
    status = status.requeue();
    resuming.release();
  }

  /// It has its turn again.
  void goesOn() {
    status = status.run();
    rota().entered(this);
  }

  /// It could not leave the loop's thread. True if nobody has woken it by then.
  boolean stays() {
    boolean unmoved = status == StrandState.SUSPENDED;
    status = unmoved ? status.wake().run() : status.run();
    return unmoved;
  }

  /// It blocked, and whoever resumed it goes on: unless library code alone is what blocks, for a moment. If
  /// it was cancelled before, without an await that told it, it hears of it now.
  @Override
  void blocked() {
    if (wait == null || wait.phase() == WaitPhase.STARTING) { // which may run code of the user
      interruptIfUntold();
    }
    if (wait == null || wait.phase() != WaitPhase.SETTLING) {
      resuming.release();
    }
  }

  /// It never began, and never will.
  void discarded() {
    status = status.discard();
  }

  /// Its body is over, and what it has left behind is given up.
  void ended(StrandState how) {
    if (slot != null) {
      suspending().end();
    }
    rota().entered(this);
    status = status.end(how);
  }

  // ---- waking: on the loop's thread or another's

  /// Its await has ended: it goes on when its turn comes.
  void woken(Placement placement) {
    if (isInYield()) {
      group().activated();
    }
    status = status.wake();
    scheduler.engine().ready(this, placement);
  }

  /// Queues it for its first turn.
  void start(Placement placement) {
    status = status.queue();
    group().activated();
    try {
      scheduler.engine().start(this, placement);
    } catch (Throwable refused) { // as if nobody had tried
      group().deactivated();
      resuming.forget();
      status = status.unqueue();
      throw refused;
    }
  }

  Wait suspended() {
    if (wait == null) {
      throw new AssertionError(this + " is suspended without an await");
    }
    return wait;
  }

  // ---- cancelling

  public Regions regions() {
    if (regions == null) {
      Regions made = new Regions(scheduler, this);
      if (shielded) {
        made.protectFinalizers();
      }
      regions = made;
    }
    return regions;
  }

  /// The cancelled region that it must unwind to, or null.
  public @Nullable CancelRegion unwindsTo() {
    return regions == null ? null : regions.effective();
  }

  void throwIfCancelled() {
    if (regions != null) {
      regions.throwIfCancelled();
    }
  }

  /// Whether the whole of it was told to stop.
  public boolean isCancelRequested() {
    return regions != null && regions.life().isCancelled();
  }

  /// Cancels one of its regions, and wakes it if that reaches what it awaits.
  @Override
  public boolean cancel(CancelRegion told, String reason) {
    if (isEnded() || !told.cancel(reason)) {
      return false;
    }
    if (unwindsTo() != null) {
      switch (status) {
        case CREATED -> start(Placement.BACK); // only to end: its body never runs
        case SUSPENDED -> suspended().cancelled();
        case RUNNING -> interruptIfUntold();
        case READY, NORMAL -> {} // its next await throws
        case DONE, FAILED, CANCELLED -> {}
      }
    }
    return true;
  }

  /// Cancels the whole of it. False if it has ended or was cancelled before.
  public boolean cancel(String reason) {
    return cancel(regions().life(), reason);
  }

  /// Lets it end by itself although its scope is cancelled: it works for the runtime, or its body is over.
  public void shield() {
    if (regions == null) {
      shielded = true;
    } else {
      regions.protectFinalizers();
    }
  }

  /// Takes all protection from it: the loop ends and cannot wait.
  public void unprotect() {
    regions().unprotect();
    if (isCancelRequested() && status == StrandState.SUSPENDED) {
      suspended().cancelled();
    } else if (status == StrandState.RUNNING) {
      interruptIfUntold();
    }
  }

  /// If it blocks in plain Java code, only an interrupt reaches it there. If that is on the way into an
  /// await, it looks again before it suspends.
  private void interruptIfUntold() {
    if (regions != null && !isRunningNow() && thread != null) {
      regions.interrupt(thread);
    }
  }

  // ---- explicit resumption: see Resuming

  /// Runs it at once, nested, until it suspends or ends; returns or throws what it hands over.
  public @Nullable Object resume(@Nullable Object... values) throws Exception {
    StackRoom.toWait();
    scheduler.checkInside(this);
    if (resuming == Resuming.NOBODY) {
      resuming = new Resuming();
    }
    return resuming.resume(this, values);
  }

  /// Who has resumed it, or wants to.
  Resuming resuming() {
    return resuming;
  }

  /// It has resumed another, and waits until that suspends.
  void waitForResumed(Resumption resumed) {
    status = status.resumeOther();
    try {
      scheduler.engine().switchOut(this, ExplicitResume.RESUMING);
    } catch (Throwable pinned) {
      resumed.giveUp();
      status = status == StrandState.NORMAL ? status.wake().run() : status.run();
      throw pinned;
    }
    goesOn();
  }

  /// The strand it has resumed suspends, ends or blocks.
  void resumedSuspended() {
    status = status.wake();
    scheduler.engine().ready(this, Placement.NEXT);
  }
}
