// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.error.ClosedException;
import dev.couv.loop.StackRoom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A block that does not end before the coroutines spawned in it.
///
/// A failure that somebody awaits is theirs. One that nobody awaits goes to the handlers of
/// [#onFailure], or without such to the scope, which does what its [ScopePolicy] says. The first
/// failure of a scope is what [#join] or [#close] throws, once; later ones are suppressed in it.
///
/// Cancellation goes down, to the coroutines of the scope and of the scopes inside, and never up: the
/// coroutine that opened it goes on.
///
/// Scopes nest as their blocks do: one that is opened in the block of another is inside that.
@SuppressWarnings("try") // closing waits, and throws what failed, an interruption included
public final class Scope implements LoopBound, AutoCloseable {
  // Immutable.
  private final Scheduler scheduler;
  private final @Nullable Strand owner;
  private final OnFailure onFailure;
  private final boolean sparing;

  // What it consists of.
  private final Members members = new Members(this);
  private final Nesting nesting = new Nesting(this);
  private final ScopeFailure failure = new ScopeFailure();
  private final FailureHandlers handlers = new FailureHandlers(this);
  private final ScopeEnd end = new ScopeEnd(this);
  private @Nullable Context context;
  private @Nullable Deadline deadline;
  private @Nullable String name;

  // Where it is in its life.
  private ScopeState state = ScopeState.OPEN;
  private @Nullable String cancelReason;

  // The strand whose failure is thrown to the caller anyway, and needs no report.
  private @Nullable Strand main;
  // Is told of each coroutine that ends, on its thread, before the scope counts it out.
  private @Nullable Consumer<Strand> memberEnded;

  Scope(Scheduler scheduler, @Nullable Scope parent, OnFailure onFailure) {
    this(scheduler, parent, null, onFailure, false);
  }

  /// Where the coroutine that opens it is, without becoming its block.
  Scope(Strand owner, OnFailure onFailure) {
    this(owner.scheduler(), Nesting.blockOf(owner), owner, onFailure, false);
  }

  private Scope(
      Scheduler scheduler,
      @Nullable Scope parent,
      @Nullable Strand owner,
      OnFailure onFailure,
      boolean sparing) {
    this.scheduler = scheduler;
    this.owner = owner;
    this.onFailure = onFailure;
    this.sparing = sparing;
    nesting.beginIn(parent);
  }

  // ---- making

  /// A new scope inside the calling coroutine's, or the one in whose block that is: the first failure
  /// cancels the others. In the block of a cancelled scope it is cancelled from the start, and so is that
  /// of a cancelled coroutine, except under [Coroutine#protect].
  public static Scope open() {
    return open(ScopePolicy.CANCEL_ON_FAILURE);
  }

  /// Like [#open()], with another policy.
  public static Scope open(ScopePolicy policy) {
    Strand current = Strand.current("Scope.open");
    return switch (policy) {
      case CANCEL_ON_FAILURE -> opened(current, OnFailure.CANCEL, false);
      case SUPERVISE -> opened(current, OnFailure.KEEP, false);
      case ZOMBIES -> opened(current, OnFailure.CANCEL, true);
    };
  }

  private static Scope opened(Strand current, OnFailure onFailure, boolean sparing) {
    StackRoom.toOpen();
    Scope block = Nesting.blockOf(current);
    Scope scope = new Scope(current.scheduler(), block, current, onFailure, sparing);
    scope.nesting.beginBlock(current);
    CancelRegion cancelled = current.regions().effective();
    if (cancelled != null) {
      scope.cancel(String.valueOf(cancelled.reason()));
    } else if (block.cancelReason != null && block.nesting.reaches(current)) {
      scope.cancel(block.cancelReason);
    }
    return scope;
  }

  /// That of a task group, which takes the failures of its tasks itself.
  static Scope ofGroup(Strand owner, Consumer<Strand> memberEnded) {
    Scope scope = opened(owner, OnFailure.KEEP, false);
    scope.memberEnded = memberEnded;
    return scope;
  }

  /// Names it, for dumps; returns itself.
  public Scope named(String newName) {
    checkInside();
    name = Objects.requireNonNull(newName, "name");
    return this;
  }

  // ---- using

  /// A coroutine of this scope, queued: it runs when the caller next suspends.
  public <T extends @Nullable Object> Coroutine<T> spawn(Body<T> body) {
    checkOpen();
    return Coroutine.spawned(scheduler, this, body, body);
  }

  /// Like [#spawn(Body)], without a result.
  public Coroutine<@Nullable Void> spawn(Action body) {
    checkOpen();
    return Coroutine.spawned(scheduler, this, Coroutine.body(body), body);
  }

  /// The scope closes it when it ends, after its coroutines and its end handlers; several in the reverse
  /// of this order; a channel for the reason that the scope ends for. Returns the resource. If the scope is
  /// closed already, the resource is closed at once.
  ///
  /// @throws ClosedException if the scope is closed
  public <R extends AutoCloseable> R own(R resource) {
    checkInside();
    if (isClosed()) {
      ClosedException refusal = new ClosedException("the scope is closed");
      try {
        resource.close();
      } catch (Exception thrown) {
        refusal.addSuppressed(thrown);
      }
      throw refusal;
    }
    end.finalizers().own(resource);
    return resource;
  }

  /// Takes the failures of this scope's coroutines that nobody awaits: such a failure cancels nothing
  /// and is not thrown. The handler runs in a coroutine of the scope and may await, and spawn in it. If
  /// it throws, the failure is the scope's after all. Several are told in the order they were added.
  public Scope onFailure(BiConsumer<? super Coroutine<?>, ? super Throwable> handler) {
    Objects.requireNonNull(handler, "handler");
    checkOpen();
    handlers.add(handler);
    return this;
  }

  /// Like [#onFailure(BiConsumer)], for whom the failure is enough.
  public Scope onFailure(Consumer<? super Throwable> handler) {
    Objects.requireNonNull(handler, "handler");
    return onFailure((coroutine, thrown) -> handler.accept(thrown));
  }

  /// Runs the handler when the coroutines of the scope have ended, before [#close] returns; several in
  /// the order they were added; at once if the scope is closed. It may await, and is not cancelled. What
  /// it throws is a failure of the scope. The loop's own scope ends with the loop.
  public Scope onEnd(Action handler) {
    Objects.requireNonNull(handler, "handler");
    return addFinalizer(thrown -> handler.run());
  }

  /// Like [#onEnd(Action)]; the handler is told the failure that the scope ends with, or null.
  public Scope onEnd(Consumer<? super @Nullable Throwable> handler) {
    return addFinalizer(handler::accept);
  }

  private Scope addFinalizer(Finalizers.Step handler) {
    checkInside();
    end.finalizers().add(handler);
    if (state == ScopeState.CLOSED) {
      end.finalizers().runNext(failure.first(), cancelReason, Outcomes::throwUnchecked);
    }
    return this;
  }

  /// Cancels every coroutine of the scope, and of the scopes inside. What is spawned in it from now on
  /// never begins.
  public void cancel() {
    checkInside();
    cancel("its scope was cancelled");
  }

  /// Like [#cancel()], when that much time has passed, unless the scope has been closed by then. The
  /// last call counts.
  ///
  /// @throws IllegalArgumentException if the duration is negative
  public void cancelAfter(Duration duration) {
    checkOpen();
    if (duration.isNegative()) {
      throw new IllegalArgumentException("cancelAfter: negative duration " + duration);
    }
    removeDeadline();
    deadline = new Deadline(scheduler, duration, () -> cancel("its scope's time is over"));
  }

  /// Waits until every coroutine of the scope has ended or is suspended by a yield, and throws the
  /// first failure. Cancelling the caller ends the wait, not the coroutines.
  public void join() throws Exception {
    checkNotInside("Scope.join");
    Suspension.await(members.over());
    failure.rethrow(null);
  }

  /// Waits for the coroutines, ends those that are suspended by a yield, runs the end handlers, closes
  /// what the scope owns, and throws the first failure unless [#join] did. If an exception is leaving
  /// the scope's try block, or the caller is cancelled, so are the coroutines, and the wait goes on
  /// until they have ended. If another coroutine is closing it, it waits for that.
  ///
  /// With [ScopePolicy#ZOMBIES] it does not wait: the last of them does the rest.
  @Override
  public void close() throws Exception {
    if (isClosed()) {
      return;
    }
    checkNotInside("Scope.close");
    Strand caller = Strand.current("Scope.close");
    if (end.isEndedBy(caller)) {
      return; // by one of its end handlers
    }
    if (sparing) {
      leave();
      failure.rethrow(null);
      return;
    }
    if ((!members.isOver() || end.finalizers().ownsAny()) && Unwinding.isCause()) {
      cancel("its scope is left by an exception");
    }
    @Nullable Throwable leaving = null;
    try {
      Suspension.await(members.over());
    } catch (Cancelled | Resumed ended) {
      leaving = ended;
      if (ended instanceof Cancelled) {
        cancel("its scope is being left");
      }
    }
    try {
      caller.regions().protect(Coroutine.body(end::run));
    } catch (Cancelled unwinding) {
      leaving = leaving == null ? unwinding : leaving;
    }
    if (caller.isCancelRequested() && failure.first() != null && Unwinding.isCause()) {
      reportOnce(caller); // it will only be suppressed in the cancellation, which is silent
    }
    if ((failure.wasAwaited() || caller.waker().hasThrown(failure.first()))
        && Unwinding.isCause()) {
      // Whoever awaited it was thrown it, by its coroutine or, like that, by what it awaited: it
      // may be
      // what leaves the block, and must not be suppressed in itself.
      failure.take();
    }
    failure.rethrow(leaving);
  }

  private void reportOnce(Strand caller) {
    Throwable thrown = failure.take();
    if (thrown != null) {
      scheduler.reportScope(caller, thrown);
    }
  }

  // ---- asking

  /// The values that its coroutines see.
  public Context context() {
    checkInside();
    Context made = context;
    if (made == null) {
      made = new Context(this);
      context = made;
    }
    return made;
  }

  /// The scope around this one, or null for that of the loop.
  public @Nullable Scope parent() {
    return nesting.parent();
  }

  /// The scopes that were opened inside and are not closed, or have zombies.
  public List<Scope> children() {
    return nesting.children();
  }

  /// Whether it was closed: nothing can be spawned in it any more.
  public boolean isClosed() {
    return state != ScopeState.OPEN;
  }

  /// Whether its coroutines were told to stop.
  public boolean isCancelled() {
    return cancelReason != null;
  }

  /// Whether none of its coroutines can run by itself any more.
  public boolean isFinished() {
    return members.active() == 0;
  }

  @Override
  public boolean isHere() {
    return scheduler.isInside();
  }

  @Override
  public String toString() {
    if (name != null) {
      return "scope " + name;
    }
    return parent() == null ? "the loop's scope" : "a scope of " + members.active() + " coroutines";
  }

  // ---- for the runtime

  /// Itself in a dump.
  String describe() {
    StringBuilder line = new StringBuilder(name == null ? "scope" : "scope " + name);
    line.append(", ").append(members.active()).append(" active");
    if (cancelReason != null) {
      line.append(", cancelled: ").append(cancelReason);
    }
    if (state != ScopeState.OPEN) {
      line.append(", left");
    }
    return line.toString();
  }

  @Nullable Throwable failure() {
    return failure.first();
  }

  /// Why its coroutines were told to stop, if they were.
  @Nullable String cancelReason() {
    return cancelReason;
  }

  Members members() {
    return members;
  }

  ScopeEnd end() {
    return end;
  }

  boolean isEnded() {
    return state == ScopeState.CLOSED;
  }

  Nesting nesting() {
    return nesting;
  }

  /// The coroutine that opened it.
  @Nullable Strand owner() {
    return owner;
  }

  @Nullable Context contextOrNull() {
    return context;
  }

  void main(Strand strand) {
    main = strand;
  }

  void add(Strand strand) {
    if (state == ScopeState.CLOSED) {
      throw new ClosedException("the scope is closed");
    }
    members.add(strand);
    if (cancelReason != null) {
      strand.cancel(cancelReason);
    }
  }

  void activated() {
    members.activated();
    scheduler.activated();
  }

  void deactivated() {
    scheduler.deactivated();
    members.deactivated();
    endIfLeft();
  }

  void unsettled() {
    members.unsettled();
  }

  void settled() {
    members.settled();
    endIfLeft();
  }

  void ended(Strand strand) {
    members.remove(strand);
    if (memberEnded != null) {
      memberEnded.accept(strand);
    }
    deactivated();
  }

  /// A coroutine failed and nobody awaits it.
  void failed(Strand strand) {
    Throwable thrown = strand.ending().failure();
    if (thrown == null) {
      throw new AssertionError(strand + " did not fail");
    }
    if (handlers.isEmpty() || state == ScopeState.CLOSED) {
      unhandled(strand, thrown);
    } else {
      handlers.tell(scheduler, strand, thrown);
    }
  }

  /// Nor does a handler take it.
  void unhandled(Strand strand, Throwable thrown) {
    Scope parent = parent();
    if (isClosed() && parent != null) {
      parent.failed(strand); // nobody would hear of it here
      return;
    }
    switch (onFailure) {
      case REPORT -> scheduler.report(strand, thrown);
      case KEEP -> failure.add(thrown, strand);
      case CANCEL -> {
        if (failure.add(thrown, strand)) {
          cancel(strand.name() + " failed");
        }
      }
      case CANCEL_AND_REPORT -> {
        boolean ends = failure.first() == null;
        fail(thrown, strand.name() + " failed");
        if (ends && strand != main) {
          scheduler.reportEnding(strand, thrown); // after the cancelling, which would reach it
        }
      }
    }
  }

  /// Ends the scope with a failure: the first is thrown, later ones are told with it.
  void fail(Throwable thrown, String reason) {
    if (failure.add(thrown)) {
      cancel(reason);
    }
  }

  void cancel(String reason) {
    cancel(reason, false);
  }

  /// Also those that are otherwise left alone.
  void cancelEverybody(String reason) {
    cancel(reason, true);
  }

  private void cancel(String reason, boolean everybody) {
    for (Scope scope : nesting.reached()) {
      scope.cancelMembers(reason, everybody);
    }
  }

  private void cancelMembers(String reason, boolean everybody) {
    if (cancelReason == null) {
      cancelReason = reason;
    }
    for (Strand strand : members.list()) {
      if (everybody || !sparing || !strand.hasBegun()) {
        strand.cancel(reason);
      }
    }
  }

  void checkInside() {
    scheduler.checkInside(this);
  }

  // ---- ending

  /// A coroutine of the runtime ends it when the loop does, if there is something to do then and nobody
  /// is at it; else false.
  boolean beginEnd() {
    return end.begin(scheduler);
  }

  /// Whether something is to be done when the loop ends.
  boolean owesEnd() {
    return end.isOwed();
  }

  /// Its opener has ended without closing it.
  boolean isForgotten() {
    return owner == null || owner.isEnded();
  }

  /// An end handler, or closing what it owns, failed.
  void endFailed(Throwable thrown) {
    if (onFailure == OnFailure.REPORT) {
      scheduler.reportEnd(this, thrown);
    } else {
      failure.add(thrown);
    }
  }

  /// Makes it another scope's, unless somebody was thrown it.
  void moveFailureTo(Scope other) {
    failure.moveTo(other.failure);
  }

  /// Nothing is left of it.
  void closed() {
    state = ScopeState.CLOSED;
    removeDeadline();
    nesting.endBlock();
    nesting.moveTo(null);
  }

  /// Leaves those that have begun to themselves, and to the loop: the scopes around may end before.
  private void leave() {
    for (Strand strand : members.list()) {
      if (!strand.hasBegun()) {
        strand.cancel("its scope was left");
      }
    }
    removeDeadline();
    nesting.endBlock();
    nesting.moveTo(scheduler.root().nesting);
    state = ScopeState.LEFT;
    endIfLeft();
  }

  /// The last zombie is gone, or only suspended by a yield: a coroutine of the runtime ends the scope.
  private void endIfLeft() {
    if (state != ScopeState.LEFT || !members.isOver()) {
      return;
    }
    if (members.isEmpty() && end.finalizers().isEmpty() && nesting.isEmpty()) {
      closed();
      return;
    }
    state = ScopeState.ENDING;
    end.begin(
        scheduler,
        () -> {
          end.run();
          failure.rethrow(null);
        });
  }

  private void removeDeadline() {
    if (deadline != null) {
      deadline.remove();
      deadline = null;
    }
  }

  void checkOpen() {
    checkInside();
    if (isClosed()) {
      throw new ClosedException("the scope is closed");
    }
  }

  /// A coroutine that waited for its own scope would wait for itself.
  void checkNotInside(String call) {
    checkInside();
    Strand caller = Strand.current(call);
    if (nesting.has(caller)) {
      throw new IllegalStateException(
          caller.name() + " cannot call " + call + " inside of what it waits for: itself");
    }
  }
}
