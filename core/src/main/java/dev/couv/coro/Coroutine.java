// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.StackRoom;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A piece of a program that runs by itself and can wait without holding a thread. Coroutines of a
/// loop never run at the same time, so among themselves they need no locks; each runs until it
/// awaits something or ends.
///
/// A coroutine belongs to its loop: except for [#name], [#status] and [#toString] it can be used
/// only by that loop's coroutines, or by the loop's thread between runs.
public final class Coroutine<T extends @Nullable Object> implements Selectable<T>, LoopBound {
  private final Strand strand;

  private Coroutine(Scheduler scheduler, Scope scope, Body<T> body, Object site) {
    StackRoom.toOpen();
    Objects.requireNonNull(body, "body");
    strand = new Strand(scheduler, body, scope, SpawnSite.of(site));
    strand.handle(this);
  }

  /// Another handle for a strand whose first one nobody holds any more.
  Coroutine(Strand strand) {
    this.strand = strand;
  }

  // ---- making

  /// A coroutine of the current scope, queued: it runs when the caller next suspends.
  public static <T extends @Nullable Object> Coroutine<T> spawn(Body<T> body) {
    Strand current = Strand.current("Coroutine.spawn");
    return spawned(current.scheduler(), current.scope(), body, body);
  }

  /// Like [#spawn(Body)], without a result.
  public static Coroutine<@Nullable Void> spawn(Action body) {
    Strand current = Strand.current("Coroutine.spawn");
    return spawned(current.scheduler(), current.scope(), body(body), body);
  }

  /// A coroutine that waits for its first [#resume]. It does not keep the loop running, and ends
  /// with its scope, or when nobody holds it any more.
  public static <T extends @Nullable Object> Coroutine<T> create(Body<T> body) {
    return created(body, body);
  }

  /// Like [#create(Body)], without a result.
  public static Coroutine<@Nullable Void> create(Action body) {
    return created(body(body), body);
  }

  private static <T extends @Nullable Object> Coroutine<T> created(Body<T> body, Object site) {
    Strand current = Strand.current("Coroutine.create");
    Coroutine<T> created =
        new Coroutine<>(current.scheduler(), current.scope(), body, site).adopted();
    created.strand.holdWeakly();
    return created;
  }

  /// The calling coroutine.
  public static Coroutine<?> current() {
    return Strand.current("Coroutine.current").coroutine();
  }

  // ---- on the calling coroutine

  /// Suspends the calling coroutine and hands the values to whoever resumed it. Returns what the
  /// next resume passes: null for nothing, the value if it is one, else a list.
  @SuppressWarnings("NamedLikeContextualKeyword") // the field's word; always called qualified
  public static @Nullable Object yield(@Nullable Object... values) {
    return Strand.current("Coroutine.yield")
        .suspending()
        .yieldTo(
            ExplicitResume.YIELD,
            Outcomes.packed(Collections.unmodifiableList(Arrays.asList(values.clone()))));
  }

  /// Suspends the calling coroutine until somebody resumes it, and returns what was passed, as
  /// [#yield] does. Unlike a yield it is waited for: if nobody can resume it any more, that is a
  /// [Deadlock].
  public static @Nullable Object halt() {
    return Strand.current("Coroutine.halt").suspending().yieldTo(ExplicitResume.HALT, null);
  }

  /// Lets the others run: to the back of the ready queue.
  public static void pause() {
    Strand.current("Coroutine.pause").suspending().pause();
  }

  /// Runs the body with cancellation held back until it ends; then it is thrown here. Nests.
  public static <T extends @Nullable Object> T protect(Body<T> body) throws Exception {
    return Strand.current("Coroutine.protect").regions().protect(body);
  }

  /// Like [#protect(Body)], without a result.
  public static void protect(Action body) throws Exception {
    Strand.current("Coroutine.protect").regions().protect(body(body));
  }

  // ---- on any coroutine

  /// Runs it at once, nested, until it yields, awaits, blocks or ends, and returns what it yielded or
  /// its result; null if it awaits. If it was in an await function, that operation is cancelled, what
  /// it produced is kept for the next, and the await ends: a yield or halt returns the values, any
  /// other await throws [Resumed] with them. What it throws is thrown here.
  ///
  /// @throws IllegalStateException if it is running, resuming another, blocked in plain Java code,
  ///     cancelled or ended
  public @Nullable Object resume(@Nullable Object... values) throws Exception {
    return Resumption.resume(strand, values);
  }

  /// Waits for its end: its result, or its exception, or `CancellationException` if it was
  /// cancelled. Any number of coroutines may await it, at any time. Cancelling the wait does not
  /// touch it.
  @Override
  public T await() throws Exception {
    strand.scheduler().checkInside(this);
    return Waker.await(Strand.current("Coroutine.await"), this);
  }

  /// Tells it to stop: what it awaits is cancelled and throws [Cancelled], and so does every later
  /// await, except under [#protect]. One that blocks in plain Java code is interrupted; one that has
  /// not started never will. False if it has ended or was told before.
  public boolean cancel() {
    return cancel("by " + canceller());
  }

  /// Like [#cancel()], with a reason that the exceptions tell.
  public boolean cancel(String reason) {
    Objects.requireNonNull(reason, "reason");
    strand.scheduler().checkInside(this);
    strand.adopt();
    return strand.cancel(reason);
  }

  /// Where it is in its life. From another thread a snapshot.
  public Status status() {
    return strand.status();
  }

  /// Names it, for dumps, logs and debuggers; returns itself.
  public Coroutine<T> named(String newName) {
    strand.name(Objects.requireNonNull(newName, "name"));
    return this;
  }

  public String name() {
    return strand.name();
  }

  /// The scope it was spawned in.
  public Scope scope() {
    return strand.scope();
  }

  /// Runs the handler when it has ended, before those who await it; several in the order they were
  /// added; at once if it has ended. The handler gets the result or the exception, runs in the ending
  /// coroutine, and may await.
  @SuppressWarnings("unchecked") // the result is what the body of type T returned
  public Coroutine<T> onEnd(BiConsumer<? super @Nullable T, ? super @Nullable Throwable> handler) {
    Objects.requireNonNull(handler, "handler");
    strand.scheduler().checkInside(this);
    Consumer<Ending> told =
        ending -> handler.accept((@Nullable T) ending.result(), ending.failure());
    if (strand.isEnded()) {
      told.accept(strand.ending());
    } else {
      strand.ending().addHandler(told);
    }
    return this;
  }

  @Override
  public boolean isHere() {
    return strand.scheduler().isInside();
  }

  @Override
  public String toString() {
    return name();
  }

  // ---- for those who await it

  @Override
  @SuppressWarnings("unchecked") // the result is what the body of type T returned
  public @Nullable Outcome<T> poll() {
    strand.scheduler().checkInside(this);
    if (Strand.currentOrNull() == strand) {
      throw new IllegalStateException(this + " cannot await itself");
    }
    if (!strand.isEnded()) {
      return null;
    }
    strand.ending().claim();
    return (Outcome<T>) strand.shown();
  }

  @Override
  public void enlist(Seat<T> seat) {
    Objects.requireNonNull(seat, "seat");
    strand.scheduler().checkInside(this);
    strand.ending().addSeat(seat);
  }

  @Override
  public void withdraw(Seat<T> seat) {
    if (strand.ending().removeSeat(seat)) {
      strand.disclaimed();
    }
  }

  /// A failure that nobody else has seen is everybody's again.
  @Override
  public void surrender(Seat<T> seat, Outcome<T> outcome) {
    strand.disclaimed();
  }

  // ---- for the runtime

  static <T extends @Nullable Object> Coroutine<T> spawned(
      Scheduler scheduler, Scope scope, Body<T> body, Object site) {
    Coroutine<T> coroutine = new Coroutine<>(scheduler, scope, body, site);
    coroutine.begin();
    return coroutine;
  }

  /// Neither in its scope yet nor started: the caller may be on any thread, and [#begin]s it on the
  /// loop's.
  static <T extends @Nullable Object> Coroutine<T> prepared(
      Scheduler scheduler, Body<T> body, Object site) {
    return prepared(scheduler, scheduler.root(), body, site);
  }

  /// Likewise, for another scope than the loop's.
  static <T extends @Nullable Object> Coroutine<T> prepared(
      Scheduler scheduler, Scope scope, Body<T> body, Object site) {
    return new Coroutine<>(scheduler, scope, body, site);
  }

  /// Joins its scope and starts; if that was cancelled, only to end. Loop thread.
  void begin() {
    if (strand.scheduler().events().isClosed()) {
      strand.discard();
      return;
    }
    adopted();
    if (strand.status() == Status.CREATED) {
      strand.start(Placement.BACK);
    }
  }

  private Coroutine<T> adopted() {
    strand.adopt();
    return this;
  }

  @SuppressWarnings("NullAway") // a body without a result has only null to return
  static Body<@Nullable Void> body(Action action) {
    Objects.requireNonNull(action, "body");
    return () -> {
      action.run();
      return null;
    };
  }

  Strand strand() {
    return strand;
  }

  private static String canceller() {
    Strand current = Strand.currentOrNull();
    return current == null ? "the loop's thread" : current.name();
  }
}
