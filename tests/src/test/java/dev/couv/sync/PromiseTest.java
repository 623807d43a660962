// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Event;
import dev.couv.coro.Loop;
import dev.couv.coro.Outcome;
import dev.couv.coro.Resumed;
import dev.couv.coro.Selected;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// Promises among the coroutines of one loop.
class PromiseTest {
  private final List<Object> log = new ArrayList<>();

  @InLoop
  @Test
  @Behaviour({"PM01", "PM05"})
  void aWaiterGetsTheValueAndFindsThePromiseDone() throws Exception {
    Promise<String> promise = new Promise<>();
    assertFalse(promise.isDone());
    Coroutine<?> waiter =
        Coroutine.spawn(
            () -> {
              log.add(promise.await());
              log.add(promise.isDone());
            });
    Coroutine.pause();

    assertTrue(promise.complete("value"));

    assertTrue(promise.isDone());
    waiter.await();
    assertEquals(List.of("value", true), log);
  }

  @InLoop
  @Test
  @Behaviour("PM03")
  void aKeptPromiseGivesItsValueAnyNumberOfTimesWithoutWaiting() throws Exception {
    Promise<String> promise = Promise.completed("value");
    Coroutine<?> other = Coroutine.spawn(() -> log.add("another had a turn"));

    for (int i = 0; i < 3; i++) {
      assertEquals("value", promise.await());
    }

    assertEquals(List.of(), log);
    other.await();
    Promise<String> nothing = Promise.completed(null);
    assertNull(nothing.await());
  }

  /// In the seeds the second call replaces the values.
  @InLoop
  @Test
  @Behaviour({"PM04", "TA78"})
  void completingAgainIsRefusedAndChangesNothing() throws Exception {
    Promise<Integer> promise = new Promise<>();
    promise.complete(1);

    assertFalse(promise.complete(2));
    assertFalse(promise.fail(new IOException()));
    assertFalse(promise.cancel());

    assertEquals(1, promise.await());
    assertEquals("a promise kept: 1", promise.toString());
  }

  @InLoop
  @Test
  @Behaviour("PM07")
  void aResumedWaiterLeavesThePromisePending() throws Exception {
    Promise<Integer> promise = new Promise<>();
    Coroutine<?> waiter =
        Coroutine.spawn(() -> log.addAll(assertThrows(Resumed.class, promise::await).values()));
    Coroutine.pause();

    waiter.resume("values");

    assertEquals(List.of("values"), log);
    assertFalse(promise.isDone());
    assertTrue(promise.complete(1));
    waiter.await();
  }

  /// As a member of a wait a promise is what an event is; as a key it is an object like any other.
  @InLoop
  @Test
  @Behaviour("PM08")
  void aPromiseCanBeAwaitedAsAnEvent() throws Exception {
    Promise<Integer> promise = new Promise<>();
    Event<Instant> never = Time.after(Duration.ofHours(1));
    Coroutine.spawn(() -> promise.complete(7));

    Selected<Object> first = Await.<Object>select(never, promise);

    assertSame(promise, first.source());
    assertEquals(7, first.value());
    never.close();
  }

  @InLoop
  @Test
  @Behaviour("PM09")
  void aKeptPromiseDoesNotFireAgain() throws Exception {
    Promise<Integer> promise = Promise.completed(1);
    Coroutine<Object> listener = Coroutine.spawn(() -> Topic.await(promise));
    Coroutine.pause();

    promise.complete(2);
    Coroutine.pause();

    assertTrue(Topic.isAwaited(promise), "only an emit wakes it");
    Topic.emitAll(promise, 3);
    assertEquals(3, listener.await());
  }

  @InLoop
  @Test
  void aBrokenPromiseThrowsTheVeryCauseToEveryone() throws Exception {
    Promise<Integer> promise = new Promise<>();
    IOException cause = new IOException("why");
    Coroutine<?> early = Coroutine.spawn(() -> promise.await());
    Coroutine.pause();
    promise.fail(cause);

    assertSame(cause, assertThrows(IOException.class, early::await));
    assertSame(cause, assertThrows(IOException.class, promise::await));
    assertEquals("a broken promise: " + cause, promise.toString());
  }

  @InLoop
  @Test
  void whatUnwoundSomebodyElseIsACancellationToThoseWhoAwait() throws Exception {
    Promise<Integer> promise = new Promise<>();
    Coroutine<?> worker =
        Coroutine.spawn(
            () -> {
              try {
                Coroutine.halt();
              } catch (Throwable thrown) {
                promise.fail(thrown);
              }
            });
    Coroutine.pause();
    worker.cancel();

    assertThrows(CancellationException.class, promise::await);
    Coroutine.pause(); // this one is not cancelled
  }

  @InLoop
  @Test
  void waitersGoOnInTheOrderTheyCameAndOneWhoLeavesDoesNotDisturbThem() throws Exception {
    Promise<Integer> promise = new Promise<>();
    List<Coroutine<?>> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int number = i;
      waiters.add(Coroutine.spawn(() -> log.add(number + promise.await())));
    }
    Coroutine.pause();
    waiters.get(2).cancel();

    promise.complete(10);
    waiters.get(4).await();

    assertEquals(List.of(10, 11, 13, 14), log);
  }

  @Test
  void aTimeoutLeavesItPending() throws Exception {
    new TestClock()
        .run(
            () -> {
              Promise<Integer> promise = new Promise<>();

              assertThrows(
                  TimeoutException.class,
                  () -> Time.timeout(Duration.ofHours(1), () -> promise.await()));

              promise.complete(1);
              assertEquals(1, promise.await());
            });
  }

  @InLoop
  @Test
  void awaitAnyReturnsThePromiseThatIsDoneWhetherItWaitedOrNot() throws Exception {
    Promise<Integer> slow = new Promise<>();
    Promise<Integer> quick = new Promise<>();
    Coroutine.spawn(() -> quick.fail(new IOException("quick")));

    assertSame(quick, Promise.awaitAny(slow, quick), "it waited");
    assertSame(quick, Promise.awaitAny(slow, quick), "it was done");
    assertThrows(IOException.class, quick::await);
    assertThrows(IllegalArgumentException.class, () -> Promise.awaitAny());
    Promise<?> mixed = Promise.awaitAny(slow, Promise.completed("text"));
    assertEquals("text", mixed.await());
  }

  @InLoop
  @Test
  void awaitAllReturnsTheValuesInOrderOrThrowsTheFirstFailure() throws Exception {
    Promise<Integer> first = new Promise<>();
    Promise<Integer> second = new Promise<>();
    Coroutine.spawn(
        () -> {
          second.complete(2);
          Coroutine.pause();
          first.complete(1);
        });

    assertEquals(List.of(1, 2), Promise.awaitAll(first, second));
    assertEquals(List.of(), Promise.awaitAll());
    assertThrows(
        IOException.class,
        () -> Promise.awaitAll(new Promise<>(), Promise.failed(new IOException())));
  }

  @InLoop
  @Test
  void pendingAndReadyTellThemApart() throws Exception {
    Promise<Integer> pending = new Promise<>();
    Promise<Integer> ready = Promise.completed(1);

    assertEquals(List.of(pending), Promise.pending(ready, pending));
    assertEquals(List.of(ready), Promise.ready(ready, pending));
  }

  /// Each of several, completed at every moment before, during and after the subscription.
  @InLoop
  @Test
  @Behaviour("TA18")
  void whatIsDoneBeforeTheWaitIsNotMissed() throws Exception {
    for (int k = 0; k < 3; k++) {
      List<Promise<Integer>> promises = List.of(new Promise<>(), new Promise<>(), new Promise<>());
      promises.get(k).complete(k);

      assertEquals(k, Await.<Integer>any(promises));
      assertEquals(
          List.of(promises.get(k)),
          Promise.ready(promises.get(0), promises.get(1), promises.get(2)));
    }
  }

  @InLoop
  @Test
  void membersThatDidNotWinAreLeftUntouched() throws Exception {
    Promise<Integer> loser = new Promise<>();
    for (int i = 0; i < 100; i++) {
      Promise<Integer> winner = new Promise<>();
      Coroutine.spawn(() -> winner.complete(1));
      assertEquals(1, Await.any(loser, winner));
    }
    loser.complete(2);

    assertEquals(List.of(Outcome.value(2)), Await.settle(loser));
  }

  @Test
  void oneThatIsKeptWithItselfSaysSo() throws Exception {
    Promise<Object> promise = new Promise<>();
    promise.complete(promise);
    assertEquals("a promise kept: itself", promise.toString());
    Loop.run(() -> assertSame(promise, promise.await()));
  }
}
