// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Caller;
import dev.couv.loop.Operation;
import dev.couv.loop.Slot;
import dev.couv.loop.StackRoom;
import dev.couv.loop.Wording;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The running half of a coroutine: its thread, its state, what it awaits and how that ended. What users hold of it
/// is its [handle][#handle()].
///
/// Confined to the loop: everything here happens on the loop's thread, or on the strand's own while
/// that has the turn. The engines order the two, so no field is volatile.
public final class Strand extends Fiber implements Regions.Cancellable {
  private static final AtomicLong NUMBERS = new AtomicLong();

  // Immutable.
  private final Scheduler scheduler;
  private final Callable<?> body;
  private final Group group;
  private final SpawnSite site;
  private final Regions regions;
  private final StrandHandle handle = new StrandHandle();

  private final long number = NUMBERS.incrementAndGet();

  private volatile @Nullable String name;

  // Owned by the groups: the last that it has opened and that is not closed.
  private @Nullable Group block;

  // The run.
  private boolean adopted;
  private boolean begun;
  private StrandState status = StrandState.CREATED;
  private @Nullable Slot slot;
  private @Nullable Waker waker;

  /// The innermost await in progress, if there is one. Owned by [Suspending].
  @Nullable Wait wait;

  private final Suspending suspending = new Suspending(this);

  private final Resuming resuming = new Resuming(this);

  private @Nullable Ending ending;
  private @Nullable Holder holder;

  /// A strand that is to run the body, as one of that group: it has not joined it yet.
  public Strand(Scheduler scheduler, Callable<?> body, Group group, SpawnSite site) {
    super(scheduler.rota());
    this.scheduler = scheduler;
    this.body = body;
    this.group = group;
    this.site = site;
    this.regions = new Regions(scheduler, this);
  }

  // ---- who runs

  /// The calling one, or null if the caller is none.
  public static @Nullable Strand currentOrNull() {
    return (Strand) Engine.current();
  }

  /// The calling coroutine, which has stack for an await. `call` names what needs one; anything but a string is
  /// what it is needed for, and the call is looked for on the stack.
  public static Strand current(Object call) {
    StackRoom.toWait();
    Strand current = currentOrNull();
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

  public Scheduler scheduler() {
    return scheduler;
  }

  /// What users hold of it; null if nobody does any more.
  public @Nullable Object handle() {
    return handle.get();
  }

  /// The handle that was made for it.
  public void handle(Object made) {
    handle.made(made);
  }

  /// From now on the handle is kept by its users alone: only they can start it.
  public void holdWeakly() {
    if (handle.isHeld()) { // at its first yield, and not at those after it
      handle.release(this::postAbandoned);
    }
  }

  private void postAbandoned() {
    scheduler.events().post(this::abandoned);
  }

  /// Nobody can resume it any more: it is cancelled, so that its memory is freed and its `finally`
  /// blocks run.
  void abandoned() {
    if (isPassive() && !ending().isAwaited() && handle.isGone()) {
      cancel("nobody can resume it any more");
    }
  }

  public Group group() {
    return group;
  }

  /// Where it was spawned.
  public SpawnSite site() {
    return site;
  }

  /// Where it is in its life.
  public StrandState status() {
    // It runs, but not here: it blocks in plain Java code, or is about to go on from that.
    return status == StrandState.RUNNING && !isRunningNow() ? StrandState.SUSPENDED : status;
  }

  private boolean isRunningNow() {
    return rota.current() == this;
  }

  public boolean isEnded() {
    return status.isEnded();
  }

  /// Whether its body has been entered, or is about to be: it has had a turn.
  public boolean hasBegun() {
    return begun;
  }

  /// Suspended where only an explicit resume continues it: it keeps nothing alive.
  public boolean isPassive() {
    return status == StrandState.CREATED || (status == StrandState.SUSPENDED && isInYield());
  }

  /// Whether the whole of it was told to stop.
  public boolean isCancelRequested() {
    return regions.life().isCancelled();
  }

  boolean isInYield() {
    return wait != null && wait.operation() == ExplicitResume.YIELD;
  }

  @Override
  boolean isBlocked() {
    return status == StrandState.RUNNING;
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
    return suspending.since();
  }

  /// How it ended, and who is to be told.
  public Ending ending() {
    if (ending == null) {
      ending = new Ending();
    }
    return ending;
  }

  /// Itself as somebody who holds things.
  Holder holder() {
    if (holder == null) {
      holder = new Holder(this);
    }
    return holder;
  }

  // ---- suspending: on the strand's own thread

  Slot slot() {
    if (slot == null) {
      slot = new Slot(scheduler.events());
    }
    return slot;
  }

  /// Its waker, or another while that is in use: arming what it waits for may be a wait itself.
  public Waker waker() {
    if (waker == null) {
      waker = new Waker(scheduler, this, suspending);
    }
    return waker.isInUse() ? waker.another() : waker;
  }

  /// Its way into awaits and out of them.
  public Suspending suspending() {
    return suspending;
  }

  /// Nothing parks from here on but the switch.
  void suspends() {
    rota.entered(this);
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
    rota.entered(this);
  }

  /// It could not leave the loop's thread. True if nobody has woken it by then.
  boolean stays() {
    boolean unmoved = status == StrandState.SUSPENDED;
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
    resuming.hand(value, null);
  }

  /// Only an explicit resume will continue it: the handle is kept by its users alone.
  void releaseHandle() {
    holdWeakly();
    if (handle.isGone()) {
      postAbandoned(); // it was let go of while it ran
    }
  }

  public Regions regions() {
    return regions;
  }

  // ---- waking: on the loop's thread or another strand's

  /// Its await has ended: it goes on when its turn comes.
  void woken(Placement placement) {
    if (isInYield()) {
      group.activated();
    }
    status = status.wake();
    scheduler.engine().ready(this, placement);
  }

  /// Joins its group, if the post that does so has not come yet.
  public void adopt() {
    if (!adopted) {
      adopted = true;
      scheduler.begun();
      group.joined(this);
    }
  }

  /// Whether it was to join its group.
  public boolean isAdopted() {
    return adopted;
  }

  /// Begins: joins its group and starts, if that was cancelled only to end. If the loop is closed it never does. Loop
  /// thread.
  public void begin() {
    if (scheduler.events().isClosed()) {
      discard();
      return;
    }
    adopt();
    if (status == StrandState.CREATED) {
      start(Placement.BACK);
    }
  }

  /// Queues it for its first turn.
  void start(Placement placement) {
    status = status.queue();
    group.activated();
    try {
      scheduler.engine().start(this, placement);
    } catch (Throwable refused) { // as if nobody had tried
      group.deactivated();
      resuming.forget();
      status = status.unqueue();
      throw refused;
    }
  }

  /// Cancels one of its regions, and wakes it if that reaches what it awaits.
  @Override
  public boolean cancel(CancelRegion told, String reason) {
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

  /// Cancels the whole of it. False if it has ended or was cancelled before.
  public boolean cancel(String reason) {
    return cancel(regions.life(), reason);
  }

  /// Its loop is closed and it never belonged to it: it ends without having begun.
  private void discard() {
    regions.unprotect();
    regions.life().cancel("the loop is closed");
    status = status.discard();
    ending().failed(regions.cancelled());
    ending().runHandlers();
    tellHolder();
  }

  private void tellHolder() {
    if (holder != null) {
      holder.ended();
    }
  }

  /// Lets it end by itself although its scope is cancelled: it works for the runtime.
  public void shield() {
    regions.protectFinalizers();
  }

  /// Takes all protection from it: the loop ends and cannot wait.
  public void unprotect() {
    regions.unprotect();
    if (isCancelRequested() && status == StrandState.SUSPENDED) {
      suspended().cancelled();
    } else if (status == StrandState.RUNNING) {
      interruptIfUntold();
    }
  }

  /// If it blocks in plain Java code, only an interrupt reaches it there. If that is on the way into an
  /// await, it looks again before it suspends.
  private void interruptIfUntold() {
    if (!isRunningNow() && thread != null) {
      regions.interrupt(thread);
    }
  }

  Wait suspended() {
    if (wait == null) {
      throw new AssertionError(this + " is suspended without an await");
    }
    return wait;
  }

  // ---- explicit resumption: see Resuming

  /// Its way of being resumed by others.
  Resuming resuming() {
    return resuming;
  }

  /// Runs it at once, nested, until it suspends or ends; returns or throws what it hands over.
  public @Nullable Object resume(@Nullable Object... values) throws Exception {
    return resuming.resume(values);
  }

  /// Where it is, whether it has the loop's thread at this moment or not.
  StrandState state() {
    return status;
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

  // ---- running and ending: on the strand's own thread

  @Override
  public void run() {
    begun = true;
    status = status.run();
    rota.entered(this);
    if (Flight.isStartRecorded()) {
      Flight.started(name(), site, group);
    }
    StrandState ended = runBody();
    regions.protectFinalizers();
    for (Throwable homeless : ending().runHandlers()) {
      group.handlerFailed(this, homeless);
    }
    tellHolder();
    if (scheduler.events().isClosed()) {
      // It was given up when its loop closed: there is nobody left to tell.
      scheduler.endedTooLate();
      return;
    }
    rota.entered(this);
    end(ended);
  }

  private StrandState runBody() {
    Ending outcome = ending();
    try {
      regions.throwIfCancelled();
      outcome.succeeded(body.call());
      return StrandState.DONE;
    } catch (Throwable thrown) {
      Throwable end = regions.endOfLife(thrown);
      outcome.failed(end == null ? thrown : end);
      return end == null ? StrandState.FAILED : StrandState.CANCELLED;
    }
  }

  private void end(StrandState ended) {
    suspending.end();
    status = status.end(ended);
    if (Flight.isEndRecorded()) {
      Flight.ended(name(), status.name(), ending().failure());
    }
    Ending told = ending();
    if (resuming.isAwaited()) {
      told.claim();
      resuming.hand(told.result(), outcome());
    }
    told.takeSeats().forEach(this::tell);
    resuming.release();
    resuming.refuse();
    if (ended == StrandState.FAILED && !told.isClaimed()) {
      group.failed(this); // before it hears of the end: whoever waits for that waits on
    }
    group.ended(this);
    scheduler.ended();
  }

  /// Each is told for itself: a cancellation has the awaiter's own trace.
  @SuppressWarnings("unchecked") // the seats are of those who await what the body returned
  private void tell(Seat<?> seat) {
    Throwable thrown = outcome();
    ((Seat<Object>) seat).deliver(thrown == null ? ending().result() : null, thrown);
  }

  /// Somebody who was told of its end left without looking.
  public void disclaimed() {
    ending().disclaim();
    if (status == StrandState.FAILED && !ending().isClaimed()) {
      group.failed(this);
    }
  }

  /// What an awaiter is thrown, or null if there is a result.
  public @Nullable Throwable outcome() {
    Throwable thrown = ending().failure();
    return status == StrandState.CANCELLED
        ? Outcomes.cancellation(name(), String.valueOf(regions.life().reason()), thrown)
        : thrown;
  }

  // ---- for its group

  /// The group in whose block it is, if it has opened one.
  public @Nullable Group block() {
    return block;
  }

  public void block(@Nullable Group opened) {
    block = opened;
  }

  // ---- words

  @Override
  public String name() {
    String given = name;
    return given == null ? "coroutine-" + number : given;
  }

  /// Names it, for dumps, logs and debuggers.
  public void name(String newName) {
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
