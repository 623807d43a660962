// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Operation;
import dev.couv.loop.Slot;
import dev.couv.loop.TimerEntry;
import dev.couv.loop.Waiter;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The running half of a coroutine: its thread, its state, what it awaits and how that ended. The
/// handle that users hold is [Coroutine].
///
/// Confined to the loop: everything here happens on the loop's thread, or on the strand's own while
/// that has the turn. The engines order the two, so no field is volatile.
final class Strand implements Waiter, Runnable {
  /// A coroutine whose awaits are always ready lets the others run after this many.
  private static final int FREE_AWAITS = 64;

  private static final AtomicLong NUMBERS = new AtomicLong();
  private static final Cleaner CLEANER = Cleaner.create();

  /// Why a suspended strand goes on.
  private enum Wake {
    COMPLETED,
    RESUMED,
    CANCELLED
  }

  // Immutable.
  private final Scheduler scheduler;
  private final Body<?> body;
  private final Scope scope;
  private final SpawnSite site;
  private final CancelRegion life = new CancelRegion(null, CancelRegion.Kind.OPEN);

  private final long number = NUMBERS.incrementAndGet();

  // The handle: held here until only an explicit resume can continue the strand, from then on only
  // as long as somebody else holds it.
  private @Nullable Coroutine<?> handle;
  private @Nullable WeakReference<Coroutine<?>> weakHandle;
  private volatile @Nullable String name;

  // Owned by the engine.
  @Nullable Thread thread;
  @Nullable Runnable task;
  boolean turn;

  // Neighbours in the list of the scope.
  @Nullable Strand previous;
  @Nullable Strand next;

  // The run.
  private Status status = Status.CREATED;
  private CancelRegion region = life;
  private @Nullable Slot slot;
  private int freeAwaits;

  // The await in progress, and how it ended.
  private @Nullable Operation operation;
  private long awaitingSince;
  private Wake wake = Wake.COMPLETED;
  private List<@Nullable Object> wakeValues = List.of();

  // Explicit resumption: who waits for this strand to suspend, and what it is told.
  private @Nullable Resumer resumer;

  // The end.
  private @Nullable Object result;
  private @Nullable Throwable failure;
  private boolean claimed;
  private @Nullable List<Consumer<Strand>> endHandlers;
  private @Nullable List<Join> joins;

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

  /// The calling coroutine. `call` names what needs one.
  static Strand current(Object call) {
    Strand current = Engine.current();
    if (current == null) {
      throw new IllegalStateException(
          call + " can only be called in a coroutine: use Loop.run or Coroutine.spawn");
    }
    return current;
  }

  // ---- what it is

  Scheduler scheduler() {
    return scheduler;
  }

  /// The handle that users hold. One that nobody held any more is replaced: nobody can tell.
  Coroutine<?> coroutine() {
    Coroutine<?> known = handle != null || weakHandle == null ? handle : weakHandle.get();
    if (known == null) {
      known = new Coroutine<>(this);
      weakHandle = null;
      handle = known;
    }
    return known;
  }

  void handle(Coroutine<?> made) {
    handle = made;
  }

  /// Lets go of the handle: when nobody else holds it, nobody can resume the strand any more, and it
  /// is cancelled so that its memory is freed and its `finally` blocks run.
  void holdWeakly() {
    Coroutine<?> held = handle;
    if (held == null) {
      return;
    }
    handle = null;
    weakHandle = new WeakReference<>(held);
    CLEANER.register(held, new Abandoned(this));
  }

  /// Nobody holds the handle any more. Not an inner class: it must not hold it either.
  private record Abandoned(Strand strand) implements Runnable {
    @Override
    public void run() {
      strand.scheduler.events().post(strand::abandoned);
    }
  }

  private void abandoned() {
    if (isPassive() && joins == null && handle == null) {
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

  /// Suspended where only an explicit resume continues it: it keeps nothing alive.
  boolean isPassive() {
    return status == Status.CREATED
        || (status == Status.SUSPENDED && operation == ExplicitResume.YIELD);
  }

  boolean isCancelRequested() {
    return life.isCancelled();
  }

  /// It left the thread without suspending: it blocks in plain Java code. Asked just after it ran.
  boolean isBlocked() {
    return status == Status.RUNNING;
  }

  /// What it waits for, in words; null if it does not wait.
  @Nullable String awaiting() {
    if (status == Status.RUNNING && scheduler.current() != this) {
      return "plain Java code";
    }
    return operation == null ? null : operation.toString();
  }

  long awaitingSince() {
    return awaitingSince;
  }

  @Nullable Object result() {
    return result;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  // ---- suspending: on the strand's own thread

  @Override
  public Slot slot() {
    Slot own = slot;
    if (own == null) {
      own = new Slot(scheduler.events());
      slot = own;
    }
    return own;
  }

  void await(Operation awaited) {
    throwIfCancelled();
    if (awaited.start(this)) {
      if (++freeAwaits < FREE_AWAITS) {
        return;
      }
      requeue(awaited);
    } else {
      suspend(awaited);
    }
    endWait(awaited);
  }

  /// An await that was ready: counted, so that it cannot go on for ever.
  void pass() {
    throwIfCancelled();
    if (++freeAwaits >= FREE_AWAITS) {
      pause();
    }
  }

  /// To the back of the ready queue.
  void pause() {
    throwIfCancelled();
    requeue(ExplicitResume.PAUSE);
    endWait(ExplicitResume.PAUSE);
    throwIfCancelled();
  }

  /// Suspends until somebody resumes it, handing `values` to whoever does or did.
  @Nullable Object yieldTo(ExplicitResume how, @Nullable Object handed) {
    throwIfCancelled();
    Resumer told = resumer;
    if (told != null) {
      told.value = handed;
    }
    if (how == ExplicitResume.YIELD) {
      holdWeakly();
    }
    suspend(how);
    if (wake == Wake.CANCELLED) {
      throw cancelled();
    }
    return packed(wakeValues);
  }

  private void suspend(Operation awaited) {
    boolean passive = awaited == ExplicitResume.YIELD;
    operation = awaited;
    awaitingSince = scheduler.events().now();
    freeAwaits = 0;
    status = status.suspend();
    if (slot != null) {
      slot.settle();
    }
    if (passive) {
      scope.deactivated();
    }
    releaseResumer();
    try {
      scheduler.engine().switchOut(this, awaited);
    } catch (Throwable pinnedOrExhausted) {
      // The thread could not leave the loop's: undo everything, so that both stay usable.
      if (status == Status.SUSPENDED) {
        awaited.cancel();
        status = status.wake();
        if (passive) {
          scope.activated();
        }
      } else if (wake == Wake.COMPLETED) {
        awaited.surrender();
      }
      operation = null;
      status = status.run();
      throw pinnedOrExhausted;
    }
    operation = null;
    status = status.run();
    scheduler.entered(this);
  }

  /// Gives the others a turn in the middle of an await that is complete already.
  private void requeue(Operation awaited) {
    freeAwaits = 0;
    operation = awaited;
    wake = Wake.COMPLETED;
    awaitingSince = scheduler.events().now();
    status = status.requeue();
    if (slot != null) {
      slot.settle();
    }
    releaseResumer();
    scheduler.engine().requeue(this);
    operation = null;
    status = status.run();
    scheduler.entered(this);
  }

  private void endWait(Operation awaited) {
    switch (wake) {
      case COMPLETED -> {}
      case RESUMED -> throw new Resumed(awaited.toString(), wakeValues);
      case CANCELLED -> throw cancelled();
    }
  }

  void throwIfCancelled() {
    if (region.effective() != null) {
      throw cancelled();
    }
  }

  private Cancelled cancelled() {
    CancelRegion cause = region.effective();
    if (cause == null) {
      throw new AssertionError("woken by a cancellation that is not there");
    }
    return new Cancelled(cause, name() + " was cancelled: " + cause.reason());
  }

  // ---- waking: on the loop's thread or another strand's

  @Override
  public void completed() {
    wake(Wake.COMPLETED, List.of(), Placement.BACK);
  }

  private void wake(Wake why, List<@Nullable Object> values, Placement placement) {
    if (operation == ExplicitResume.YIELD) {
      scope.activated();
    }
    wake = why;
    wakeValues = values;
    status = status.wake();
    scheduler.engine().ready(this, placement);
  }

  /// Queues it for its first turn.
  void start(Placement placement) {
    status = status.queue();
    scope.activated();
    scheduler.engine().start(this, placement);
  }

  /// Cancels one of its regions, and wakes it if that reaches what it awaits.
  boolean cancel(CancelRegion told, String reason) {
    if (isEnded() || !told.cancel(reason)) {
      return false;
    }
    if (region.effective() != null) {
      switch (status) {
        case CREATED -> start(Placement.BACK); // only to end: its body never runs
        case SUSPENDED -> {
          Operation left = operation;
          if (left != null) {
            left.cancel();
          }
          wake(Wake.CANCELLED, List.of(), Placement.BACK);
        }
        case RUNNING -> {
          // It blocks in plain Java code: only an interrupt reaches it there.
          if (scheduler.current() != this && thread != null) {
            thread.interrupt();
          }
        }
        case READY, NORMAL -> {} // its next await throws
        case DONE, FAILED, CANCELLED -> {}
      }
    }
    return true;
  }

  boolean cancel(String reason) {
    return cancel(life, reason);
  }

  /// Takes all protection from it: the loop ends and cannot wait.
  void unprotect() {
    region = life;
    if (life.isCancelled() && status == Status.SUSPENDED) {
      Operation left = operation;
      if (left != null) {
        left.cancel();
      }
      wake(Wake.CANCELLED, List.of(), Placement.BACK);
    }
  }

  // ---- explicit resumption

  /// Who waits for a resumed strand to suspend: another strand, or the loop's thread between runs.
  private static final class Resumer {
    final @Nullable Strand strand;
    @Nullable Object value;
    @Nullable Throwable failure;

    Resumer(@Nullable Strand strand) {
      this.strand = strand;
    }
  }

  @Nullable Object resume(@Nullable Object... values) throws Exception {
    scheduler.checkInside(this);
    Strand self = currentOrNull();
    checkResumable(self);
    Resumer waiting = new Resumer(self);
    resumer = waiting;
    List<@Nullable Object> passed = Collections.unmodifiableList(Arrays.asList(values.clone()));
    switch (status) {
      case CREATED -> start(Placement.NEXT);
      case SUSPENDED -> {
        Operation left = operation;
        if (left != null) {
          left.cancel();
        }
        wake(Wake.RESUMED, passed, Placement.NEXT);
      }
      case READY -> {
        scheduler.advance(this);
        if (operation != null) {
          if (wake == Wake.COMPLETED) {
            operation.surrender();
          }
          wake = Wake.RESUMED;
          wakeValues = passed;
        }
      }
      case RUNNING, NORMAL, DONE, FAILED, CANCELLED -> throw new AssertionError(status);
    }
    if (self == null) {
      scheduler.runAdvanced();
    } else {
      self.waitForResumed();
    }
    if (waiting.failure != null) {
      throw Outcomes.rethrow(waiting.failure);
    }
    return waiting.value;
  }

  private void checkResumable(@Nullable Strand self) {
    if (this == self) {
      throw new IllegalStateException(name() + " cannot resume itself");
    }
    String obstacle =
        switch (status()) {
          case RUNNING -> "is running";
          case NORMAL -> "is itself resuming another coroutine";
          case DONE, FAILED, CANCELLED -> "has ended";
          case SUSPENDED ->
              status == Status.RUNNING ? "blocks in plain Java code, not in an await" : null;
          case CREATED, READY -> null;
        };
    if (obstacle == null && life.isCancelled()) {
      obstacle = "was cancelled";
    }
    if (obstacle != null) {
      throw new IllegalStateException("cannot resume " + name() + ": it " + obstacle);
    }
  }

  private void waitForResumed() {
    status = status.resumeOther();
    scheduler.engine().switchOut(this, ExplicitResume.RESUMING);
    status = status.run();
    scheduler.entered(this);
  }

  /// The strand suspends, ends or blocks: whoever resumed it goes on at once.
  void releaseResumer() {
    Resumer released = resumer;
    if (released == null) {
      return;
    }
    resumer = null;
    Strand waiting = released.strand;
    if (waiting != null) {
      waiting.status = waiting.status.wake();
      scheduler.engine().ready(waiting, Placement.NEXT);
    }
  }

  // ---- regions

  <T extends @Nullable Object> T protect(Body<T> protectedBody) throws Exception {
    CancelRegion around = region;
    region = new CancelRegion(around, CancelRegion.Kind.PROTECTED);
    T value;
    try {
      value = protectedBody.run();
    } finally {
      if (region.outer == around) {
        region = around;
      }
    }
    throwIfCancelled();
    return value;
  }

  <T extends @Nullable Object> T within(long deadline, Body<T> limited)
      throws Exception, Suspension.Expired {
    CancelRegion around = region;
    CancelRegion inner = new CancelRegion(around, CancelRegion.Kind.OPEN);
    TimerEntry limit =
        new TimerEntry() {
          @Override
          protected void due() {
            cancel(inner, "its time is over");
          }
        };
    throwIfCancelled();
    region = inner;
    scheduler.events().timers().add(limit, deadline);
    try {
      return limited.run();
    } catch (Cancelled unwinding) {
      if (unwinding.region() != inner) {
        throw unwinding;
      }
      throw expired(unwinding);
    } catch (InterruptedException interrupted) {
      if (!inner.isCancelled() || around.effective() != null) {
        throw interrupted;
      }
      throw expired(interrupted);
    } finally {
      scheduler.events().timers().remove(limit);
      if (region == inner) {
        region = around;
      }
    }
  }

  private static Suspension.Expired expired(Throwable unwinding) {
    Thread.interrupted(); // it may have been set to reach plain Java code, and has done its work
    return new Suspension.Expired(unwinding);
  }

  // ---- running and ending: on the strand's own thread

  @Override
  public void run() {
    status = status.run();
    scheduler.entered(this);
    Status ended;
    try {
      throwIfCancelled();
      result = body.run();
      ended = Status.DONE;
    } catch (Throwable thrown) {
      failure = thrown;
      boolean byCancel =
          life.isCancelled()
              && (thrown instanceof InterruptedException
                  || (thrown instanceof Cancelled unwinding && unwinding.region() == life));
      ended = byCancel ? Status.CANCELLED : Status.FAILED;
    }
    region = new CancelRegion(null, CancelRegion.Kind.PROTECTED); // the finalizers may still await
    runEndHandlers();
    if (scheduler.events().isClosed()) {
      // It was given up when its loop closed: there is nobody left to tell.
      scheduler.endedTooLate();
      return;
    }
    scheduler.entered(this);
    end(ended);
  }

  private void runEndHandlers() {
    // By index: a handler may add another.
    for (int i = 0; endHandlers != null && i < endHandlers.size(); i++) {
      try {
        endHandlers.get(i).accept(this);
      } catch (Throwable thrown) {
        if (failure == null) {
          scheduler.report(this, thrown);
        } else if (failure != thrown) {
          failure.addSuppressed(thrown);
        }
      }
    }
    endHandlers = null;
  }

  private void end(Status ended) {
    status = status.end(ended);
    if (slot != null) {
      slot.settle();
    }
    Resumer told = resumer;
    if (told != null) {
      told.value = result;
      told.failure = outcome();
      claimed = true;
    }
    wakeJoins();
    releaseResumer();
    scope.ended(this);
    if (ended == Status.FAILED && !claimed) {
      scheduler.unclaimed(this);
    }
    scheduler.ended(this);
  }

  /// What a handler of its end is told: the failure as it is, or null.
  @Nullable Throwable endThrowable() {
    return failure;
  }

  /// What an awaiter is thrown, or null if there is a result.
  @Nullable Throwable outcome() {
    Throwable thrown = failure;
    if (status == Status.CANCELLED) {
      return Outcomes.cancellation(name(), String.valueOf(life.reason()), thrown);
    }
    return thrown;
  }

  // ---- awaiting the end

  /// Runs the handler when the strand has ended, before those who await it; at once if it has.
  void onEnd(Consumer<Strand> handler) {
    if (isEnded()) {
      handler.accept(this);
      return;
    }
    if (endHandlers == null) {
      endHandlers = new ArrayList<>(1);
    }
    endHandlers.add(handler);
  }

  /// Somebody deals with its failure.
  void claim() {
    claimed = true;
  }

  boolean isClaimed() {
    return claimed;
  }

  void addJoin(Join join) {
    claimed = true;
    if (joins == null) {
      joins = new ArrayList<>(1);
    }
    joins.add(join);
  }

  void removeJoin(Join join) {
    if (joins != null) {
      joins.remove(join);
      // Nobody waits any more: its failure is everybody's again.
      claimed = !joins.isEmpty();
    }
  }

  private void wakeJoins() {
    List<Join> waiting = joins;
    joins = null;
    if (waiting != null) {
      for (Join join : waiting) {
        join.targetEnded();
      }
    }
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

  /// None is null, one is itself, several are a list.
  static @Nullable Object packed(List<@Nullable Object> values) {
    return switch (values.size()) {
      case 0 -> null;
      case 1 -> values.getFirst();
      default -> values;
    };
  }
}
