// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.error.ClosedException;
import dev.couv.loop.StackRoom;
import dev.couv.strand.Outcomes;
import dev.couv.strand.Strand;
import dev.couv.strand.Suspension;
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
  private final Block block;

  private Scope(Block block) {
    this.block = block;
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
    return of(Block.opened(current, onFailure, sparing));
  }

  /// A new scope beside all others: only its own [#cancel] and the end of the loop cancel it, not the scope or the
  /// coroutine that it is opened in. For coroutines that somebody else sees to, who closes it. The values of the
  /// caller's [Context] are seen in it.
  public static Scope apart() {
    return of(Block.apart(Strand.current("Scope.apart")));
  }

  /// The handle of that one.
  static Scope of(Block block) {
    Scope known = (Scope) block.handle();
    if (known == null) {
      known = new Scope(block);
      block.handle(known);
    }
    return known;
  }

  /// Names it, for dumps; returns itself.
  public Scope named(String newName) {
    block.checkInside();
    block.name(Objects.requireNonNull(newName, "name"));
    return this;
  }

  // ---- using

  /// A coroutine of this scope, queued: it runs when the caller next suspends.
  public <T extends @Nullable Object> Coroutine<T> spawn(Body<T> body) {
    block.checkOpen();
    return Coroutine.spawned(block, body, body);
  }

  /// Like [#spawn(Body)], without a result.
  public Coroutine<@Nullable Void> spawn(Action body) {
    block.checkOpen();
    return Coroutine.spawned(block, Body.of(body), body);
  }

  /// The scope closes it when it ends, after its coroutines and its end handlers; several in the reverse
  /// of this order; a channel for the reason that the scope ends for. Returns the resource. If the scope is
  /// closed already, the resource is closed at once.
  ///
  /// @throws ClosedException if the scope is closed
  public <R extends AutoCloseable> R own(R resource) {
    block.checkInside();
    if (block.isClosed()) {
      ClosedException refusal = new ClosedException("the scope is closed");
      try {
        resource.close();
      } catch (Exception thrown) {
        refusal.addSuppressed(thrown);
      }
      throw refusal;
    }
    block.end.finalizers.own(resource);
    return resource;
  }

  /// Takes the failures of this scope's coroutines that nobody awaits: such a failure cancels nothing
  /// and is not thrown. The handler runs in a coroutine of the scope and may await, and spawn in it. If
  /// it throws, the failure is the scope's after all. Several are told in the order they were added.
  public Scope onFailure(BiConsumer<? super Coroutine<?>, ? super Throwable> handler) {
    Objects.requireNonNull(handler, "handler");
    block.checkOpen();
    block.handlers.add((strand, thrown) -> handler.accept(Coroutine.of(strand), thrown));
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
    block.checkInside();
    block.end.finalizers.add(handler);
    if (block.isEnded()) {
      block.end.finalizers.runNext(
          block.failure.first(), block.cancelReason(), Outcomes::throwUnchecked);
    }
    return this;
  }

  /// Cancels every coroutine of the scope, and of the scopes inside. What is spawned in it from now on
  /// never begins.
  public void cancel() {
    block.checkInside();
    block.cancel("its scope was cancelled");
  }

  /// Like [#cancel()], when that much time has passed, unless the scope has been closed by then. The
  /// last call counts.
  ///
  /// @throws IllegalArgumentException if the duration is negative
  public void cancelAfter(Duration duration) {
    block.checkOpen();
    if (duration.isNegative()) {
      throw new IllegalArgumentException("cancelAfter: negative duration " + duration);
    }
    block.cancelAfter(duration);
  }

  /// Waits until every coroutine of the scope has ended or is suspended by a yield, and throws the
  /// first failure. Cancelling the caller ends the wait, not the coroutines.
  public void join() throws Exception {
    block.checkNotInside("Scope.join");
    Suspension.await(block.members.over());
    block.failure.rethrow(null);
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
    block.checkNotInside("Scope.close");
    Strand caller = Strand.current("Scope.close");
    if (block.end.isEndedBy(caller)) {
      return; // by one of its end handlers
    }
    if (block.isSparing()) {
      block.leave();
      block.failure.rethrow(null);
      return;
    }
    if ((!block.members.isOver() || block.end.finalizers.ownsAny()) && Unwinding.isCause()) {
      block.cancel("its scope is left by an exception");
    }
    @Nullable Throwable leaving = null;
    try {
      Suspension.await(block.members.over());
    } catch (Cancelled | Resumed ended) {
      leaving = ended;
      if (ended instanceof Cancelled) {
        block.cancel("its scope is being left");
      }
    }
    try {
      caller.regions().protect(Body.of(block.end::run));
    } catch (Cancelled unwinding) {
      leaving = leaving == null ? unwinding : leaving;
    }
    ScopeFailure failure = block.failure;
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
    Throwable thrown = block.failure.take();
    if (thrown != null) {
      block.reports.scopeFailed(caller, thrown);
    }
  }

  // ---- asking

  /// The values that its coroutines see.
  public Context context() {
    block.checkInside();
    return block.context();
  }

  /// The scope around this one, or null for that of the loop.
  public @Nullable Scope parent() {
    Block parent = block.nesting.parent();
    return parent == null ? null : of(parent);
  }

  /// The scopes that were opened inside and are not closed, or have zombies.
  public List<Scope> children() {
    return block.nesting.children().stream().map(Scope::of).toList();
  }

  /// Whether it was closed: nothing can be spawned in it any more.
  public boolean isClosed() {
    return block.isClosed();
  }

  /// Whether its coroutines were told to stop.
  public boolean isCancelled() {
    return block.cancelReason() != null;
  }

  /// Whether none of its coroutines can run by itself any more.
  public boolean isFinished() {
    return block.members.active() == 0;
  }

  @Override
  public boolean isHere() {
    return block.scheduler.isInside();
  }

  @Override
  public String toString() {
    return block.toString();
  }
}
