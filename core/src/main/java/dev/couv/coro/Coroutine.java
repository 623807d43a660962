// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.StackRoom;
import dev.couv.strand.Ending;
import dev.couv.strand.ExplicitResume;
import dev.couv.strand.Outcomes;
import dev.couv.strand.SpawnSite;
import dev.couv.strand.Strand;
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
public final class Coroutine<T extends @Nullable Object> implements Awaitable<T>, LoopBound {
  private final Strand strand;

  /// Itself as a member of a wait, once somebody awaits it.
  private @Nullable CoroutineEnd<T> end;

  /// Neither in its scope yet nor started: the caller may be on any thread, and lets it [begin][Strand#begin] on the
  /// loop's.
  Coroutine(Block block, Body<T> body, Object site) {
    StackRoom.toOpen();
    Objects.requireNonNull(body, "body");
    strand = new Strand(block.scheduler, body, block, SpawnSite.of(site));
    strand.handle(this);
  }

  private Coroutine(Strand strand) {
    this.strand = strand;
  }

  /// The handle of that one. One that nobody held any more is replaced: nobody can tell.
  static Coroutine<?> of(Strand strand) {
    Coroutine<?> known = (Coroutine<?>) strand.handle();
    if (known == null) {
      known = new Coroutine<>(strand);
      strand.handle(known);
    }
    return known;
  }

  // ---- making

  /// A coroutine of the current scope, queued: it runs when the caller next suspends.
  public static <T extends @Nullable Object> Coroutine<T> spawn(Body<T> body) {
    Strand current = Strand.current("Coroutine.spawn");
    return spawned(Block.of(current), body, body);
  }

  /// Like [#spawn(Body)], without a result.
  public static Coroutine<@Nullable Void> spawn(Action body) {
    Strand current = Strand.current("Coroutine.spawn");
    return spawned(Block.of(current), Body.of(body), body);
  }

  /// A coroutine that waits for its first [#resume]. It does not keep the loop running, and ends
  /// with its scope, or when nobody holds it any more.
  public static <T extends @Nullable Object> Coroutine<T> create(Body<T> body) {
    return created(body, body);
  }

  /// Like [#create(Body)], without a result.
  public static Coroutine<@Nullable Void> create(Action body) {
    return created(Body.of(body), body);
  }

  private static <T extends @Nullable Object> Coroutine<T> created(Body<T> body, Object site) {
    Strand current = Strand.current("Coroutine.create");
    Coroutine<T> created = new Coroutine<>(Block.of(current), body, site);
    created.strand.adopt();
    created.strand.holdWeakly();
    return created;
  }

  /// The calling coroutine.
  public static Coroutine<?> current() {
    return of(Strand.current("Coroutine.current"));
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
    Strand.current("Coroutine.protect").regions().protect(Body.of(body));
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
    return strand.resume(values);
  }

  /// Waits for its end: its result, or its exception, or `CancellationException` if it was
  /// cancelled. Any number of coroutines may await it, at any time. Cancelling the wait does not
  /// touch it.
  @Override
  public T await() throws Exception {
    strand.scheduler().checkInside(this);
    return Strand.current("Coroutine.await").waker().await(end());
  }

  /// Tells it to stop: what it awaits is cancelled and throws [Cancelled], and so does every later
  /// await, except under [#protect]. One that blocks in plain Java code is interrupted; one that has
  /// not started never will. False if it has ended or was told before.
  public boolean cancel() {
    Strand current = Strand.currentOrNull();
    return cancel("by " + (current == null ? "the loop's thread" : current.name()));
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
    return Status.of(strand.status());
  }

  /// Names it, for dumps, logs and debuggers; returns itself.
  public Coroutine<T> named(String newName) {
    strand.name(Objects.requireNonNull(newName, "name"));
    return this;
  }

  /// What it was named, or a name of its own.
  public String name() {
    return strand.name();
  }

  /// The scope it was spawned in.
  public Scope scope() {
    return Scope.of(Block.of(strand));
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

  // ---- for the runtime

  static <T extends @Nullable Object> Coroutine<T> spawned(Block block, Body<T> body, Object site) {
    Coroutine<T> coroutine = new Coroutine<>(block, body, site);
    coroutine.strand.begin();
    return coroutine;
  }

  CoroutineEnd<T> end() {
    CoroutineEnd<T> made = end;
    if (made == null) {
      made = new CoroutineEnd<>(this);
      end = made;
    }
    return made;
  }

  Strand strand() {
    return strand;
  }
}
