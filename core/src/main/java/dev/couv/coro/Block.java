// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.error.ClosedException;
import dev.couv.loop.TimerEntry;
import dev.couv.strand.CancelRegion;
import dev.couv.strand.Group;
import dev.couv.strand.Scheduler;
import dev.couv.strand.Strand;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The running half of a scope: the strands that belong to it, where it is among the other scopes, what becomes of
/// failures and of cancellations. The handle that users hold is [Scope].
///
/// Confined to the loop.
final class Block implements Group, UnclaimedFailures.Heir {
  // Immutable.
  final Scheduler scheduler;
  private final UnclaimedFailures failures;
  final Reports reports;

  /// The coroutine that opened it.
  final @Nullable Strand owner;

  private final OnFailure onFailure;
  private final boolean sparing;

  // What it consists of.
  final Members members = new Members(this);
  final Nesting nesting;
  final ScopeFailure failure = new ScopeFailure();
  final FailureHandlers handlers = new FailureHandlers();
  final ScopeEnd end = new ScopeEnd(this);
  private @Nullable Context context;
  private @Nullable TimerEntry deadline;
  private @Nullable String name;

  // Where it is in its life.
  private ScopeState state = ScopeState.OPEN;
  private @Nullable String cancelReason;

  // What users hold of it, once somebody does.
  private @Nullable Object handle;

  // The strand whose failure is thrown to the caller anyway, and needs no report.
  private @Nullable Strand main;
  // Is told of each coroutine that ends, on its thread, before the scope counts it out.
  private @Nullable Consumer<Strand> memberEnded;

  /// The loop's own.
  Block(Scheduler scheduler, UnclaimedFailures failures, Reports reports, OnFailure onFailure) {
    this.scheduler = scheduler;
    this.failures = failures;
    this.reports = reports;
    this.owner = null;
    this.onFailure = onFailure;
    this.sparing = false;
    this.nesting = new Nesting(this, null);
  }

  private Block(Block parent, @Nullable Strand owner, OnFailure onFailure, boolean sparing) {
    this.scheduler = parent.scheduler;
    this.failures = parent.failures;
    this.reports = parent.reports;
    this.owner = owner;
    this.onFailure = onFailure;
    this.sparing = sparing;
    this.nesting = new Nesting(this, parent);
  }

  // ---- making

  /// That of the strand itself.
  static Block of(Strand strand) {
    return (Block) strand.group();
  }

  /// The one that the strand is in at this moment: the block that it has opened, or its own.
  static Block around(Strand strand) {
    Group opened = strand.block();
    return opened == null ? of(strand) : (Block) opened;
  }

  /// Where the strand that opens it is, without becoming its block.
  static Block beside(Strand opener, OnFailure onFailure) {
    return new Block(around(opener), opener, onFailure, false);
  }

  /// Opened by the strand, which is in its block until it is closed. Cancelled from the start if that is.
  static Block opened(Strand opener, OnFailure onFailure, boolean sparing) {
    Block outer = around(opener);
    Block block = new Block(outer, opener, onFailure, sparing);
    block.nesting.beginBlock(opener);
    CancelRegion cancelled = opener.unwindsTo();
    if (cancelled != null) {
      block.cancel(String.valueOf(cancelled.reason()));
    } else if (outer.cancelReason != null && outer.nesting.reaches(opener)) {
      block.cancel(outer.cancelReason);
    }
    return block;
  }

  /// One that the end of the loop cancels, and nothing else around it; what is known where the strand is is known in it.
  static Block apart(Strand opener) {
    Block block = new Block(around(opener), null, OnFailure.CANCEL, false);
    Block root = block.nesting.root();
    block.nesting.moveTo(root.nesting);
    if (root.cancelReason != null) {
      block.cancel("the loop ends");
    }
    return block;
  }

  // ---- what it is

  /// The coroutine that opened it.
  @Override
  public @Nullable Strand owner() {
    return owner;
  }

  /// Its opener has ended without closing it.
  boolean isForgotten() {
    return owner == null || owner.isEnded();
  }

  @Override
  public List<Strand> strands() {
    return members.list();
  }

  @Override
  public List<Block> inside() {
    return nesting.children();
  }

  @Nullable Object handle() {
    return handle;
  }

  void handle(Object made) {
    handle = made;
  }

  Context context() {
    if (context == null) {
      context = new Context(this);
    }
    return context;
  }

  @Nullable Context contextOrNull() {
    return context;
  }

  void name(String newName) {
    name = newName;
  }

  void main(Strand strand) {
    main = strand;
  }

  /// Each of its strands that ends is told to that one, on its thread, before it is counted out.
  void memberEnded(Consumer<Strand> told) {
    memberEnded = told;
  }

  boolean isClosed() {
    return state != ScopeState.OPEN;
  }

  /// Nothing is left of it.
  boolean isEnded() {
    return state == ScopeState.CLOSED;
  }

  /// Whether its coroutines are left to themselves when it is cancelled or closed.
  boolean isSparing() {
    return sparing;
  }

  void checkInside() {
    scheduler.checkInside(this);
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

  // ---- the lives of its strands

  @Override
  public void joined(Strand strand) {
    if (state == ScopeState.CLOSED) {
      throw new ClosedException("the scope is closed");
    }
    members.add(strand);
    if (cancelReason != null) {
      strand.cancel(cancelReason);
    }
  }

  @Override
  public void activated() {
    members.activated();
    scheduler.activated();
  }

  @Override
  public void deactivated() {
    scheduler.deactivated();
    members.deactivated();
    endIfLeft();
  }

  @Override
  public void failed(Strand strand) {
    members.unsettled();
    failures.add(strand, this);
  }

  @Override
  public void handlerFailed(Strand strand, Throwable thrown) {
    reports.handlerFailed(strand, thrown);
  }

  @Override
  public void settled() {
    members.settled();
    endIfLeft();
  }

  @Override
  public void ended(Strand strand) {
    members.remove(strand);
    if (memberEnded != null) {
      memberEnded.accept(strand);
    }
    deactivated();
  }

  // ---- failures

  /// A coroutine failed and nobody awaits it.
  @Override
  public void inherits(Strand strand) {
    Throwable thrown = strand.ending().failure();
    if (thrown == null) {
      throw new AssertionError(strand + " did not fail");
    }
    if (handlers.isEmpty() || state == ScopeState.CLOSED) {
      unhandled(strand, thrown);
    } else {
      handlers.tell(this, strand, thrown, this::unhandled);
    }
  }

  /// Nor does a handler take it.
  private void unhandled(Strand strand, Throwable thrown) {
    Block parent = nesting.parent();
    if (isClosed() && parent != null) {
      parent.inherits(strand); // nobody would hear of it here
      return;
    }
    switch (onFailure) {
      case REPORT -> reports.failure(strand, thrown);
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
          reports.ending(strand, thrown); // after the cancelling, which would reach it
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

  /// An end handler, or closing what it owns, failed.
  void endFailed(Throwable thrown) {
    if (onFailure == OnFailure.REPORT) {
      reports.endFailed(this, thrown);
    } else {
      failure.add(thrown);
    }
  }

  // ---- cancelling

  /// Why its coroutines were told to stop, if they were.
  @Nullable String cancelReason() {
    return cancelReason;
  }

  @Override
  public void cancel(String reason) {
    cancel(reason, false);
  }

  /// Also those that are otherwise left alone.
  void cancelEverybody(String reason) {
    cancel(reason, true);
  }

  private void cancel(String reason, boolean everybody) {
    for (Block block : nesting.reached()) {
      block.cancelMembers(reason, everybody);
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

  void cancelAfter(Duration duration) {
    removeDeadline();
    deadline = TimerEntry.of(() -> cancel("its scope's time is over"));
    scheduler.events().timers().add(deadline, scheduler.events().deadline(duration));
  }

  private void removeDeadline() {
    if (deadline != null) {
      scheduler.events().timers().remove(deadline);
      deadline = null;
    }
  }

  // ---- ending

  /// Nothing is left of it.
  void closed() {
    state = state.close();
    removeDeadline();
    nesting.endBlock();
    nesting.moveTo(null);
  }

  /// Leaves those that have begun to themselves, and to the loop: the scopes around may end before.
  void leave() {
    for (Strand strand : members.list()) {
      if (!strand.hasBegun()) {
        strand.cancel("its scope was left");
      }
    }
    removeDeadline();
    nesting.endBlock();
    nesting.moveTo(nesting.root().nesting);
    state = state.leave();
    endIfLeft();
  }

  /// The last zombie is gone, or only suspended by a yield: a coroutine of the runtime ends the scope.
  private void endIfLeft() {
    if (state != ScopeState.LEFT || !members.isOver()) {
      return;
    }
    if (members.isEmpty() && end.finalizers.isEmpty() && nesting.isEmpty()) {
      closed();
      return;
    }
    state = state.lastGone();
    end.begin(
        () -> {
          end.run();
          failure.rethrow(null);
        });
  }

  // ---- words

  /// Itself in a dump.
  @Override
  public String describe() {
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

  @Override
  public String toString() {
    if (name != null) {
      return "scope " + name;
    }
    int active = members.active();
    return nesting.parent() == null
        ? "the loop's scope"
        : active == 1 ? "a scope of 1 coroutine" : "a scope of " + active + " coroutines";
  }
}
