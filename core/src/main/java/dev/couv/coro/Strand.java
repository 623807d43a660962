// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Caller;
import dev.couv.loop.Operation;
import dev.couv.loop.Slot;
import dev.couv.loop.StackRoom;
import dev.couv.loop.Wording;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The running half of a coroutine: its thread, its state, what it awaits and how that ended. The
/// handle that users hold is [Coroutine].
///
/// Confined to the loop: everything here happens on the loop's thread, or on the strand's own while
/// that has the turn. The engines order the two, so no field is volatile.
final class Strand implements Runnable {
  private static final AtomicLong NUMBERS = new AtomicLong();

  // Immutable.
  private final Scheduler scheduler;
  private final Body<?> body;
  private final Scope scope;
  private final SpawnSite site;
  private final Regions regions = new Regions(this);
  private final StrandHandle handle = new StrandHandle(this);

  private final long number = NUMBERS.incrementAndGet();

  private volatile @Nullable String name;

  // Owned by the engine.
  @Nullable Thread thread;
  @Nullable Runnable task;
  boolean turn;
  boolean astray;

  // Neighbours in the list of the scope.
  @Nullable Strand previous;
  @Nullable Strand next;

  // Owned by the scopes: the last that it has opened and that is not closed.
  @Nullable Scope innermost;

  // The run.
  private boolean adopted;
  private boolean begun;
  private Status status = Status.CREATED;
  private @Nullable Slot slot;
  private @Nullable Waker waker;

  /// The innermost await in progress, if there is one. Owned by [Suspending].
  @Nullable Wait wait;

  private final Suspending suspending = new Suspending(this);

  // Who waits for this strand to suspend, because it resumed it; and who has asked to resume it
  // while it
  // was in the middle of an await, first come first served.
  private @Nullable Resumption resumption;
  private @Nullable Resumption asking;

  // Made when it is first interrupted.
  private @Nullable Interrupts interrupts;

  private @Nullable Ending ending;

  Strand(Scheduler scheduler, Body<?> body, Scope scope, SpawnSite site) {
    this.scheduler = scheduler;
    this.body = body;
    this.scope = scope;
    this.site = site;
  }

  // ---- who runs

  static @Nullable Strand currentOrNull() {
    return Engine.current();
  }

  /// The calling coroutine, which has stack for an await. `call` names what needs one; anything but a string is
  /// what it is needed for, and the call is looked for on the stack.
  static Strand current(Object call) {
    StackRoom.toWait();
    Strand current = Engine.current();
    if (current == null) {
      String twin = Caller.twin();
      boolean named = call instanceof String;
      throw new IllegalStateException(
          (named ? call : Caller.call())
              + " can only be called in a coroutine: Loop.run starts the first one"
              + (twin == null ? "" : ". Elsewhere use " + twin + ", which blocks the thread")
              + (named ? "" : " (" + Wording.of(call) + ")"));
    }
    return current;
  }

  // ---- what it is

  Scheduler scheduler() {
    return scheduler;
  }

  /// The coroutine that users hold.
  Coroutine<?> coroutine() {
    return handle.coroutine();
  }

  void handle(Coroutine<?> made) {
    handle.made(made);
  }

  void holdWeakly() {
    handle.release();
  }

  /// Nobody can resume it any more: it is cancelled, so that its memory is freed and its `finally`
  /// blocks run.
  void abandoned() {
    if (isPassive() && !ending().isAwaited() && handle.isGone()) {
      cancel("nobody can resume it any more");
    }
  }

  Scope scope() {
    return scope;
  }

  SpawnSite site() {
    return site;
  }

  Status status() {
    // It runs, but not here: it blocks in plain Java code, or is about to go on from that.
    return status == Status.RUNNING && scheduler.current() != this ? Status.SUSPENDED : status;
  }

  boolean isEnded() {
    return status.isEnded();
  }

  /// Whether its body has been entered, or is about to be: it has had a turn.
  boolean hasBegun() {
    return begun;
  }

  /// Suspended where only an explicit resume continues it: it keeps nothing alive.
  boolean isPassive() {
    return status == Status.CREATED || (status == Status.SUSPENDED && isInYield());
  }

  boolean isCancelRequested() {
    return regions.life().isCancelled();
  }

  boolean isInYield() {
    return wait != null && wait.operation() == ExplicitResume.YIELD;
  }

  /// It left the thread without suspending: it blocks in plain Java code. Asked just after it ran.
  boolean isBlocked() {
    return status == Status.RUNNING;
  }

  /// In the user's own code: no await is on its way.
  boolean isBlockedOutsideOfAwait() {
    return isBlocked() && wait == null;
  }

  /// It blocked, and whoever resumed it goes on: unless library code alone is what blocks, for a moment. If
  /// it was cancelled before, without an await that told it, it hears of it now.
  void blocked() {
    if (wait == null || wait.phase() == WaitPhase.STARTING) { // which may run code of the user
      interruptIfUntold();
    }
    if (wait == null || wait.phase() != WaitPhase.SETTLING) {
      releaseResumer();
    }
  }

  /// What it waits for, in words; null if it does not wait.
  @Nullable String awaiting() {
    if (wait != null) {
      return Wording.of(wait.operation());
    }
    return status == Status.RUNNING && scheduler.current() != this ? "plain Java code" : null;
  }

  /// What it waits for; null if it does not wait.
  @Nullable Operation operation() {
    return wait == null ? null : wait.operation();
  }

  long awaitingSince() {
    return suspending.since();
  }

  /// How it ended, and who is to be told.
  Ending ending() {
    Ending made = ending;
    if (made == null) {
      made = new Ending(this);
      ending = made;
    }
    return made;
  }

  // ---- suspending: on the strand's own thread

  Slot slot() {
    Slot own = slot;
    if (own == null) {
      own = new Slot(scheduler.events());
      slot = own;
    }
    return own;
  }

  /// Its waker, or another while that is in use: arming what it waits for may be a wait itself.
  Waker waker() {
    Waker own = waker;
    if (own == null) {
      own = new Waker(this);
      waker = own;
    }
    return own.isInUse() ? new Waker(this) : own;
  }

  /// Its way into awaits and out of them.
  Suspending suspending() {
    return suspending;
  }

  /// Nothing parks from here on but the switch.
  void suspends() {
    scheduler.entered(this);
    status = status.suspend();
    releaseResumer();
  }

  /// It gives up its turn, and is ready at once.
  void requeues() {
    status = status.requeue();
    releaseResumer();
  }

  /// It has its turn again.
  void goesOn() {
    status = status.run();
    scheduler.entered(this);
  }

  /// It could not leave the loop's thread. True if nobody has woken it by then.
  boolean stays() {
    boolean unmoved = status == Status.SUSPENDED;
    status = unmoved ? status.wake().run() : status.run();
    return unmoved;
  }

  /// Gives up what it has completed and not begun again: it turns to something else, or ends.
  void settleSlot() {
    if (slot != null) {
      slot.settle();
    }
  }

  /// Hands a value to whoever resumed it, and goes on when it is resumed again.
  void hand(@Nullable Object value) {
    if (resumption != null) {
      resumption.hand(value, null);
    }
  }

  /// Only an explicit resume will continue it: the handle is kept by its users alone.
  void releaseHandle() {
    handle.release();
    if (handle.isGone()) {
      scheduler.events().post(this::abandoned); // it was let go of while it ran
    }
  }

  Regions regions() {
    return regions;
  }

  // ---- waking: on the loop's thread or another strand's

  /// Its await has ended: it goes on when its turn comes.
  void woken(Placement placement) {
    if (isInYield()) {
      scope.activated();
    }
    status = status.wake();
    scheduler.engine().ready(this, placement);
  }

  /// Joins its scope, if the post that does so has not come yet.
  void adopt() {
    if (!adopted) {
      adopted = true;
      scheduler.begun();
      scope.add(this);
    }
  }

  /// Queues it for its first turn.
  void start(Placement placement) {
    status = status.queue();
    scope.activated();
    try {
      scheduler.engine().start(this, placement);
    } catch (Throwable refused) { // as if nobody had tried
      scope.deactivated();
      resumption = null;
      status = status.unqueue();
      throw refused;
    }
  }

  /// Cancels one of its regions, and wakes it if that reaches what it awaits.
  boolean cancel(CancelRegion told, String reason) {
    if (isEnded() || !told.cancel(reason)) {
      return false;
    }
    if (regions.effective() != null) {
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

  boolean cancel(String reason) {
    return cancel(regions.life(), reason);
  }

  /// Its loop is closed and it never belonged to it: it ends without having begun.
  void discard() {
    regions.unprotect();
    regions.life().cancel("the loop is closed");
    status = status.discard();
    ending().failed(regions.cancelled());
    ending().runHandlers();
  }

  /// Lets it end by itself although its scope is cancelled: it works for the runtime.
  void shield() {
    regions.protectFinalizers();
  }

  /// Takes all protection from it: the loop ends and cannot wait.
  void unprotect() {
    regions.unprotect();
    if (isCancelRequested() && status == Status.SUSPENDED) {
      suspended().cancelled();
    } else if (status == Status.RUNNING) {
      interruptIfUntold();
    }
  }

  /// If it blocks in plain Java code, only an interrupt reaches it there. If that is on the way into an
  /// await, it looks again before it suspends.
  private void interruptIfUntold() {
    if (scheduler.current() != this && thread != null && regions.tell()) {
      interrupts().ask(thread);
    }
  }

  private Wait suspended() {
    if (wait == null) {
      throw new AssertionError(this + " is suspended without an await");
    }
    return wait;
  }

  private Interrupts interrupts() {
    Interrupts made = interrupts;
    if (made == null) {
      made = new Interrupts();
      interrupts = made;
    }
    return made;
  }

  /// On its own thread, where it learns of its cancellation: the interrupt that was to tell it has done
  /// its work. True if there was one.
  boolean settleInterrupts() {
    return interrupts != null && interrupts.settle();
  }

  // ---- explicit resumption

  /// Somebody resumes it: it runs next, and its await ends with the values. If somebody is in the middle
  /// of that await, or resumes it already, they see to it.
  void resumed(Resumption by) {
    switch (status) {
      case CREATED -> {
        resumption = by;
        start(Placement.NEXT);
      }
      case SUSPENDED -> {
        Wait left = suspended();
        if (left.phase() == WaitPhase.WAITING) {
          resumption = by;
          left.resumed(by.values());
        } else {
          ask(by);
        }
      }
      case READY -> {
        if (resumption != null) {
          ask(by);
          return;
        }
        if (wait != null) {
          wait.resumed(by.values());
        }
        resumption = by;
        scheduler.advance(this);
      }
      case RUNNING -> ask(by); // on its way into an await
      case NORMAL, DONE, FAILED, CANCELLED -> throw new AssertionError(status);
    }
  }

  private void ask(Resumption by) {
    Resumption last = asking;
    if (last == null) {
      asking = by;
      return;
    }
    while (last.next != null) {
      last = last.next;
    }
    last.next = by;
  }

  /// The first who has asked to resume it, if there is one: it waits now until this strand suspends again.
  @Nullable Resumption takeAsking() {
    Resumption first = asking;
    if (first != null) {
      asking = first.next;
      releaseResumer();
      resumption = first;
    }
    return first;
  }

  /// It has resumed another, and waits until that suspends.
  void waitForResumed(Resumption resumed) {
    status = status.resumeOther();
    try {
      scheduler.engine().switchOut(this, ExplicitResume.RESUMING);
    } catch (Throwable pinned) {
      resumed.giveUp();
      status = status == Status.NORMAL ? status.wake().run() : status.run();
      throw pinned;
    }
    status = status.run();
    scheduler.entered(this);
  }

  /// The strand it has resumed suspends, ends or blocks.
  void resumedSuspended() {
    status = status.wake();
    scheduler.engine().ready(this, Placement.NEXT);
  }

  /// It suspends, ends or blocks: whoever resumed it goes on at once.
  void releaseResumer() {
    Resumption released = resumption;
    if (released != null) {
      resumption = null;
      released.release();
    }
  }

  // ---- running and ending: on the strand's own thread

  @Override
  public void run() {
    begun = true;
    status = status.run();
    scheduler.entered(this);
    if (Flight.isStartRecorded()) {
      Flight.started(this);
    }
    Status ended = runBody();
    regions.protectFinalizers();
    for (Throwable homeless : ending().runHandlers()) {
      scheduler.reportHandler(this, homeless);
    }
    if (scheduler.events().isClosed()) {
      // It was given up when its loop closed: there is nobody left to tell.
      scheduler.endedTooLate();
      return;
    }
    scheduler.entered(this);
    end(ended);
  }

  private Status runBody() {
    Ending outcome = ending();
    try {
      regions.throwIfCancelled();
      outcome.succeeded(body.run());
      return Status.DONE;
    } catch (Throwable thrown) {
      Cancelled end = regions.endOfLife(thrown);
      outcome.failed(end == null ? thrown : end);
      return end == null ? Status.FAILED : Status.CANCELLED;
    }
  }

  private void end(Status ended) {
    suspending.end();
    status = status.end(ended);
    if (Flight.isEndRecorded()) {
      Flight.ended(this);
    }
    Ending told = ending();
    if (resumption != null) {
      told.claim();
      resumption.hand(told.result(), outcome());
    }
    told.tellSeats(this::shown);
    releaseResumer();
    refuseAsking();
    if (ended == Status.FAILED && !told.isClaimed()) {
      scheduler.unclaimed(this); // before the scope hears of the end: whoever waits for it waits on
    }
    scope.ended(this);
    scheduler.ended(this);
  }

  private void refuseAsking() {
    for (Resumption asked = asking; asked != null; asked = asked.next) {
      asked.refuse(this);
    }
    asking = null;
  }

  /// Somebody who was told of its end left without looking.
  void disclaimed() {
    ending().disclaim();
    if (status == Status.FAILED && !ending().isClaimed()) {
      scheduler.unclaimed(this);
    }
  }

  /// Its outcome, as an awaiter sees it.
  @SuppressWarnings("NullAway") // null is a result like any other
  Outcome<@Nullable Object> shown() {
    Throwable thrown = outcome();
    return thrown == null ? Outcome.value(ending().result()) : Outcome.failure(thrown);
  }

  /// What an awaiter is thrown, or null if there is a result.
  @Nullable Throwable outcome() {
    Throwable thrown = ending().failure();
    return status == Status.CANCELLED
        ? Outcomes.cancellation(name(), String.valueOf(regions.life().reason()), thrown)
        : thrown;
  }

  // ---- words

  String name() {
    String given = name;
    return given == null ? "coroutine-" + number : given;
  }

  void name(String newName) {
    name = newName;
    Thread started = thread;
    if (started != null) {
      started.setName(newName);
    }
  }

  @Override
  public String toString() {
    return name();
  }
}
