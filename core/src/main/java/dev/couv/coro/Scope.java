// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A block that does not end before the coroutines spawned in it. The first failure that nobody
/// awaits cancels the others, and is what [#join] and [#close] throw.
@SuppressWarnings("try") // closing waits, and throws what failed, an interruption included
public final class Scope implements AutoCloseable {
  /// What a failure that nobody awaits does.
  enum OnFailure {
    /// Cancels the scope's coroutines; the scope ends with it.
    CANCEL,
    /// The same, and says so in the log: the failure ends a whole program.
    CANCEL_AND_REPORT,
    /// Only the log hears of it.
    REPORT
  }

  private enum State {
    OPEN,
    CANCELLED,
    CLOSED
  }

  private final Scheduler scheduler;
  private final @Nullable Scope parent;
  private final OnFailure onFailure;
  private final List<Scope> children = new ArrayList<>(0);

  private State state = State.OPEN;
  private @Nullable String cancelReason;

  // The coroutines, in the order they were made; those that are not passive are counted.
  private @Nullable Strand first;
  private @Nullable Strand last;
  private int active;

  /// Failures of which it is not known yet whether somebody awaits them.
  private int unsettled;

  private @Nullable Strand main;
  private @Nullable Throwable failure;
  private boolean failureThrown;
  private final List<Ending> waiting = new ArrayList<>(0);

  Scope(Scheduler scheduler, @Nullable Scope parent, OnFailure onFailure) {
    this.scheduler = scheduler;
    this.parent = parent;
    this.onFailure = onFailure;
    if (parent != null) {
      parent.children.add(this);
    }
  }

  /// A new scope inside the calling coroutine's. That of a cancelled coroutine is cancelled from the
  /// start, except under [Coroutine#protect].
  public static Scope open() {
    Strand current = Strand.current("Scope.open");
    Scope scope = new Scope(current.scheduler(), current.scope(), OnFailure.CANCEL);
    CancelRegion cancelled = current.regions().effective();
    if (cancelled != null) {
      scope.cancel(String.valueOf(cancelled.reason()));
    }
    return scope;
  }

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

  /// Cancels every coroutine of the scope, and of the scopes inside.
  public void cancel() {
    scheduler.checkInside(this);
    cancel("its scope was cancelled");
  }

  /// Waits until every coroutine of the scope has ended or is suspended by a yield, and throws the
  /// first failure. Cancelling the caller ends the wait, not the coroutines.
  public void join() throws Exception {
    checkNotInside("join");
    Suspension.await(new Ending());
    throwFailure();
  }

  /// Waits for the coroutines, ends those that are suspended by a yield, and throws the first
  /// failure unless [#join] did. If the caller is cancelled, so are the coroutines, and the wait
  /// goes on until they have ended.
  @Override
  public void close() throws Exception {
    if (state == State.CLOSED) {
      return;
    }
    checkNotInside("close");
    Strand caller = Strand.current("Scope.close");
    try {
      Suspension.await(new Ending());
    } catch (Cancelled unwinding) {
      cancel("its scope is being left");
      throw unwinding;
    } finally {
      caller.regions().protect(Coroutine.body(this::end));
    }
    throwFailure();
  }

  /// The scope around this one, or null for that of the loop.
  public @Nullable Scope parent() {
    return parent;
  }

  /// The scopes that were opened inside and are not closed.
  public List<Scope> children() {
    return List.copyOf(children);
  }

  /// Whether it was closed: nothing can be spawned in it any more.
  public boolean isClosed() {
    return state == State.CLOSED;
  }

  /// Whether its coroutines were told to stop.
  public boolean isCancelled() {
    return state == State.CANCELLED;
  }

  /// Whether none of its coroutines can run by itself any more.
  public boolean isFinished() {
    return active == 0;
  }

  @Override
  public String toString() {
    return parent == null ? "the loop's scope" : "a scope of " + active + " coroutines";
  }

  // ---- for the runtime

  @Nullable Throwable failure() {
    return failure;
  }

  int active() {
    return active;
  }

  boolean isEmpty() {
    return first == null;
  }

  /// The strand whose failure is thrown to the caller anyway, and needs no report.
  void main(Strand strand) {
    main = strand;
  }

  void add(Strand strand) {
    if (state == State.CLOSED) {
      throw new IllegalStateException("the scope is closed");
    }
    strand.previous = last;
    if (last == null) {
      first = strand;
    } else {
      last.next = strand;
    }
    last = strand;
    if (cancelReason != null) {
      strand.cancel(cancelReason);
    }
  }

  void activated() {
    active++;
    scheduler.activated();
  }

  void deactivated() {
    scheduler.deactivated();
    active--;
    wakeIfOver();
  }

  void unsettled() {
    unsettled++;
  }

  void settled() {
    unsettled--;
    wakeIfOver();
  }

  private boolean isOver() {
    return active == 0 && unsettled == 0;
  }

  void ended(Strand strand) {
    if (strand.previous == null) {
      first = strand.next;
    } else {
      strand.previous.next = strand.next;
    }
    if (strand.next == null) {
      last = strand.previous;
    } else {
      strand.next.previous = strand.previous;
    }
    strand.previous = null;
    strand.next = null;
    deactivated();
  }

  /// A coroutine failed and nobody awaits it.
  void failed(Strand strand) {
    if (state == State.CLOSED && parent != null) {
      parent.failed(strand); // nobody would hear of it here
      return;
    }
    Throwable thrown = strand.ending().failure();
    if (thrown == null) {
      throw new AssertionError(strand + " did not fail");
    }
    switch (onFailure) {
      case REPORT -> scheduler.report(strand, thrown);
      case CANCEL -> fail(thrown, strand.name() + " failed");
      case CANCEL_AND_REPORT -> {
        boolean ends = failure == null;
        fail(thrown, strand.name() + " failed");
        if (ends && strand != main) {
          scheduler.reportEnding(strand, thrown); // after the cancelling, which would reach it
        }
      }
    }
  }

  /// Ends the scope with a failure: the first is thrown, later ones are told with it.
  void fail(Throwable thrown, String reason) {
    if (failure == null) {
      failure = thrown;
      cancel(reason);
    } else if (failure != thrown) {
      failure.addSuppressed(thrown);
    }
  }

  void cancel(String reason) {
    if (state == State.OPEN) {
      state = State.CANCELLED;
      cancelReason = reason;
    }
    for (Strand strand : strands()) {
      strand.cancel(reason);
    }
    for (Scope child : children()) {
      child.cancel(reason);
    }
  }

  /// The coroutines of this scope, in a list of its own.
  List<Strand> strands() {
    List<Strand> list = new ArrayList<>();
    for (Strand strand = first; strand != null; strand = strand.next) {
      list.add(strand);
    }
    return list;
  }

  /// Those of this scope and of all inside.
  List<Strand> allStrands() {
    List<Strand> list = strands();
    for (Scope child : children) {
      list.addAll(child.allStrands());
    }
    return list;
  }

  /// Waits until nothing of the scope is left, cancelling what is only suspended by a yield.
  private void end() {
    while (first != null) {
      try {
        Suspension.await(new Ending());
      } catch (Resumed impatient) {
        continue; // nobody leaves before they have ended
      }
      for (Strand strand : strands()) {
        strand.cancel("its scope ended");
      }
      if (active == 0) {
        strands().forEach(Strand::unprotect); // under protection, where nothing would wake them
      }
    }
    state = State.CLOSED;
    if (parent != null) {
      parent.children.remove(this);
    }
  }

  private void throwFailure() throws Exception {
    if (failure != null && !failureThrown) {
      failureThrown = true;
      throw Outcomes.rethrow(failure);
    }
  }

  private void checkOpen() {
    scheduler.checkInside(this);
    if (state == State.CLOSED) {
      throw new IllegalStateException("the scope is closed");
    }
  }

  /// A coroutine that waited for its own scope would wait for itself.
  private void checkNotInside(String call) {
    scheduler.checkInside(this);
    Strand caller = Strand.current("Scope." + call);
    for (Scope scope = caller.scope(); scope != null; scope = scope.parent) {
      if (scope == this) {
        throw new IllegalStateException(
            caller.name()
                + " cannot "
                + call
                + " the scope it belongs to: it would wait for itself");
      }
    }
  }

  private void wakeIfOver() {
    if (!isOver()) {
      return;
    }
    List<Ending> told = List.copyOf(waiting);
    waiting.clear();
    for (Ending ending : told) {
      ending.reached();
    }
  }

  /// Waiting until no coroutine of the scope is active.
  private final class Ending implements Operation {
    private @Nullable Waiter waiter;

    @Override
    public boolean start(Waiter newWaiter) {
      if (isOver()) {
        return true;
      }
      waiter = newWaiter;
      waiting.add(this);
      return false;
    }

    void reached() {
      Waiter told = waiter;
      waiter = null;
      if (told != null) {
        told.completed();
      }
    }

    @Override
    public void cancel() {
      waiter = null;
      waiting.remove(this);
    }

    @Override
    public void surrender() {}

    @Override
    public String toString() {
      return "the end of " + Scope.this;
    }
  }
}
