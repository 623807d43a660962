// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Strand;
import dev.couv.strand.Waker;
import dev.couv.strand.WakerSeat;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// Waiting for several things at once: coroutines, events, promises, ends of channels, and whatever else
/// is [Awaitable].
///
/// Members are asked in the order given: of several that are ready the first wins. Those that did not
/// win are left as they were and can be awaited again; if one of them is a coroutine that fails later,
/// that is its own failure, for its scope to hear of. A wait that is cancelled or resumed gives back
/// what it had taken.
///
/// Every function takes its members one by one, or from an `Iterable`. That may produce them lazily, and
/// with a limit it may be endless: the next is taken only when fewer than that many are pending. It is
/// iterated by the calling coroutine and may wait itself; what it throws ends the wait.
@SuppressWarnings("varargs") // read only
public final class Await {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private Await() {}

  // ---- the first

  /// The value of the first to settle, or its failure thrown.
  ///
  /// @throws IllegalArgumentException if there are no members
  @SafeVarargs
  public static <T extends @Nullable Object> T any(Awaitable<? extends T>... members)
      throws Exception {
    return any(Arrays.asList(members));
  }

  /// Like [#any(Awaitable...)], for two: allocates nothing.
  public static <T extends @Nullable Object> T any(
      Awaitable<? extends T> one, Awaitable<? extends T> other) throws Exception {
    Waker waker = waker("Await.any");
    Objects.requireNonNull(one, "a member is null");
    Objects.requireNonNull(other, "a member is null");
    waker.beginFirst();
    waker.add(Member.of(one));
    waker.add(Member.of(other));
    return value(waker);
  }

  /// Like [#any(Awaitable...)], whose members come from an `Iterable`.
  public static <T extends @Nullable Object> T any(
      Iterable<? extends Awaitable<? extends T>> members) throws Exception {
    return any(members, NO_LIMIT);
  }

  /// Like [#any(Iterable)], with no more than `limit` members pending: it takes no more than that, and none behind
  /// one that is settled.
  public static <T extends @Nullable Object> T any(
      Iterable<? extends Awaitable<? extends T>> members, int limit) throws Exception {
    return value(first("Await.any", members, limit));
  }

  /// Like [#any(Awaitable...)], and tells which it was. A failure is thrown.
  @SafeVarargs
  public static <T extends @Nullable Object> Selected<T> select(Awaitable<? extends T>... members)
      throws Exception {
    return select(Arrays.asList(members));
  }

  /// Like [#select(Awaitable...)], whose members come from an `Iterable`.
  public static <T extends @Nullable Object> Selected<T> select(
      Iterable<? extends Awaitable<? extends T>> members) throws Exception {
    return select(members, NO_LIMIT);
  }

  /// Like [#select(Iterable)], with no more than `limit` members pending: it takes no more than that, and none behind
  /// one that is settled.
  public static <T extends @Nullable Object> Selected<T> select(
      Iterable<? extends Awaitable<? extends T>> members, int limit) throws Exception {
    return first("Await.select", members, limit).awaitFirst(Await::selected);
  }

  // ---- all

  /// All values, in the order of the members. The first failure is thrown at once; others that are
  /// there by then are suppressed in it.
  @SafeVarargs
  public static <T extends @Nullable Object> List<T> all(Awaitable<? extends T>... members)
      throws Exception {
    return all(Arrays.asList(members));
  }

  /// Like [#all(Awaitable...)], whose members come from an `Iterable`.
  public static <T extends @Nullable Object> List<T> all(
      Iterable<? extends Awaitable<? extends T>> members) throws Exception {
    return all(members, NO_LIMIT);
  }

  /// Like [#all(Iterable)], with no more than `limit` members pending.
  public static <T extends @Nullable Object> List<T> all(
      Iterable<? extends Awaitable<? extends T>> members, int limit) throws Exception {
    return Gathering.all(each("Await.all", NO_LIMIT, 0, members, limit));
  }

  /// What became of each member, in their order. Does not throw a member's failure.
  @SafeVarargs
  public static <T extends @Nullable Object> List<Outcome<T>> settle(
      Awaitable<? extends T>... members) {
    return settle(Arrays.asList(members));
  }

  /// Like [#settle(Awaitable...)], whose members come from an `Iterable`.
  public static <T extends @Nullable Object> List<Outcome<T>> settle(
      Iterable<? extends Awaitable<? extends T>> members) {
    return settle(members, NO_LIMIT);
  }

  /// Like [#settle(Iterable)], with no more than `limit` members pending.
  public static <T extends @Nullable Object> List<Outcome<T>> settle(
      Iterable<? extends Awaitable<? extends T>> members, int limit) {
    return Gathering.settled(each("Await.settle", NO_LIMIT, NO_LIMIT, members, limit));
  }

  // ---- some

  /// The first value; failures are passed over.
  ///
  /// @throws CompositeException if all failed
  /// @throws IllegalArgumentException if there are no members
  @SafeVarargs
  public static <T extends @Nullable Object> T firstSuccess(Awaitable<? extends T>... members)
      throws Exception {
    return firstSuccess(Arrays.asList(members));
  }

  /// Like [#firstSuccess(Awaitable...)], whose members come from an `Iterable`.
  public static <T extends @Nullable Object> T firstSuccess(
      Iterable<? extends Awaitable<? extends T>> members) throws Exception {
    return firstSuccess(members, NO_LIMIT);
  }

  /// Like [#firstSuccess(Iterable)], with no more than `limit` members pending.
  public static <T extends @Nullable Object> T firstSuccess(
      Iterable<? extends Awaitable<? extends T>> members, int limit) throws Exception {
    Waker waker = each("Await.firstSuccess", 1, NO_LIMIT, members, limit);
    List<T> values = Gathering.some(waker, 1);
    if (values.isEmpty()) {
      throw nothing("Await.firstSuccess");
    }
    return values.getFirst();
  }

  /// The first `n` values, in the order they came; fewer if there are fewer members.
  ///
  /// @throws CompositeException as soon as so many have failed that there cannot be `n`
  @SafeVarargs
  public static <T extends @Nullable Object> List<T> some(int n, Awaitable<? extends T>... members)
      throws Exception {
    return some(n, Arrays.asList(members));
  }

  /// Like [#some(int, Awaitable...)], whose members come from an `Iterable`.
  public static <T extends @Nullable Object> List<T> some(
      int n, Iterable<? extends Awaitable<? extends T>> members) throws Exception {
    return some(n, members, NO_LIMIT);
  }

  /// Like [#some(int, Iterable)], with no more than `limit` members pending.
  public static <T extends @Nullable Object> List<T> some(
      int n, Iterable<? extends Awaitable<? extends T>> members, int limit) throws Exception {
    if (n < 0) {
      throw new IllegalArgumentException("Await.some: cannot wait for " + n);
    }
    return Gathering.some(each("Await.some", n, NO_LIMIT, members, limit), n);
  }

  // ---- work of one's own

  /// Runs the bodies as coroutines. The first that ends wins, with its value or its failure; the rest are
  /// cancelled, and have ended when this returns. What they still throw is suppressed in the failure, or
  /// logged if there is a value.
  ///
  /// @throws IllegalArgumentException if there are no bodies
  @SafeVarargs
  public static <T extends @Nullable Object> T race(Body<? extends T>... bodies) throws Exception {
    return race(Arrays.asList(bodies));
  }

  /// Like [#race(Body...)], whose bodies come from an `Iterable`.
  public static <T extends @Nullable Object> T race(Iterable<? extends Body<? extends T>> bodies)
      throws Exception {
    return Race.run(Strand.current("Await.race"), bodies);
  }

  // ---- ordinary Java code

  /// The result of a stage, or its failure, without the `CompletionException` around it. Cancelling ends
  /// the wait and leaves the stage alone.
  public static <T extends @Nullable Object> T stage(CompletionStage<? extends T> stage)
      throws Exception {
    return Strand.current("Await.stage").waker().await(new StageSource<T>(stage));
  }

  /// A stage as a member of a wait: `Await.any(Await.from(future), Time.after(second))`.
  public static <T extends @Nullable Object> Awaitable<T> from(CompletionStage<? extends T> stage) {
    return new StageSource<>(stage);
  }

  // ---- the pieces

  private static Waker first(String call, Iterable<? extends Awaitable<?>> members, int limit) {
    Waker waker = waker(call);
    checkLimit(call, limit);
    Iterator<? extends Awaitable<?>> more = members.iterator();
    if (!more.hasNext()) {
      throw nothing(call);
    }
    waker.beginFirst();
    waker.feed(Member.of(more), limit);
    return waker;
  }

  private static Waker each(
      String call, int needed, int tolerated, Iterable<? extends Awaitable<?>> members, int limit) {
    Waker waker = waker(call);
    checkLimit(call, limit);
    Iterator<? extends Awaitable<?>> more = members.iterator();
    waker.begin(needed, tolerated);
    waker.feed(Member.of(more), limit);
    return waker;
  }

  @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"}) // all are of T
  private static <T extends @Nullable Object> T value(Waker waker) throws Exception {
    return (T) waker.awaitFirst(WakerSeat::value);
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // all are of T
  private static <T extends @Nullable Object> Selected<T> selected(WakerSeat first) {
    return new Selected<>((Awaitable<?>) first.source().subject(), (T) first.value());
  }

  private static Waker waker(String call) {
    return Strand.current(call).waker();
  }

  private static void checkLimit(String call, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException(call + ": a limit of " + limit);
    }
  }

  private static IllegalArgumentException nothing(String call) {
    return new IllegalArgumentException(call + ": there is nothing to wait for");
  }
}
