// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Events that are kept until somebody awaits them.
class QueuedTopicTest {
  private final List<Object> log = new ArrayList<>();

  private Coroutine<?> listener(Object name, Object key) {
    return Coroutine.spawn(() -> log.add(name + "=" + QueuedTopic.await(key)));
  }

  @InLoop
  @Test
  @Behaviour({"QE01", "QE03"})
  void anEventThatNobodyAwaitsIsKeptForTheNextAwait() throws Exception {
    assertFalse(QueuedTopic.isQueued("key"));
    assertFalse(QueuedTopic.emitAll("key", 7));
    assertTrue(QueuedTopic.isQueued("key"));

    assertEquals(7, QueuedTopic.await("key"));

    assertFalse(QueuedTopic.isQueued("key"));
    assertFalse(QueuedTopic.isQueued(null));
    assertFalse(QueuedTopic.emitAll(null, 7));
  }

  @InLoop
  @Test
  @Behaviour("QE02")
  void oneKeptEventServesOneAwaitAndTheNextOneWaits() throws Exception {
    QueuedTopic.emitOne("key", 1);
    Coroutine<?> waiter =
        Coroutine.spawn(
            () -> {
              log.add(QueuedTopic.await("key"));
              assertFalse(QueuedTopic.isAwaited("key"));
              log.add(QueuedTopic.await("key"));
            });
    Coroutine.pause();

    assertEquals(List.of(1), log);
    assertTrue(QueuedTopic.isAwaited("key"));
    assertTrue(QueuedTopic.emitOne("key", 2));
    waiter.await();
    assertEquals(List.of(1, 2), log);
  }

  @InLoop
  @Test
  @Behaviour("QE05")
  void severalKeptEventsKeepTheirOrderAndTheirValues() throws Exception {
    QueuedTopic.emitAll("key");
    QueuedTopic.emitOne("key", 2);
    QueuedTopic.emitAll("key", List.of(3, 4));

    assertNull(QueuedTopic.await("key"));
    assertEquals(2, QueuedTopic.await("key"));
    assertEquals(List.of(3, 4), QueuedTopic.await("key"));
  }

  @InLoop
  @Test
  @Behaviour("QE06")
  void emittingToAllWhoWaitKeepsNothing() throws Exception {
    listener(1, "key");
    listener(2, "key");
    Coroutine.pause();

    assertTrue(QueuedTopic.emitAll("key", "v"));
    assertFalse(QueuedTopic.isQueued("key"));
    Coroutine.pause();

    assertEquals(List.of("1=v", "2=v"), log);
  }

  @InLoop
  @Test
  @Behaviour("QE07")
  void emittingToOneGoesToTheOldestAndKeepsNothing() throws Exception {
    for (int i = 0; i < 3; i++) {
      listener(i, "key");
    }
    Coroutine.pause();
    for (String value : List.of("a", "b", "c")) {
      assertTrue(QueuedTopic.emitOne("key", value));
    }

    assertFalse(QueuedTopic.isQueued("key"));
    Coroutine.pause();
    assertEquals(List.of("0=a", "1=b", "2=c"), log);
  }

  @InLoop
  @Test
  @Behaviour("QE09")
  void anEventEmittedByAWokenWaiterIsKeptForItsNextAwait() throws Exception {
    Coroutine<?> waiter =
        Coroutine.spawn(
            () -> {
              log.add(QueuedTopic.await("key"));
              assertFalse(QueuedTopic.emitAll("key", "inner"));
              log.add(QueuedTopic.await("key"));
            });
    Coroutine.pause();

    QueuedTopic.emitAll("key", "outer");
    waiter.await();

    assertEquals(List.of("outer", "inner"), log);
  }

  @Test
  @Behaviour("QE10")
  void awaitingOutsideOfACoroutineIsRefused() {
    assertThrows(IllegalStateException.class, () -> QueuedTopic.await("key"));
    assertThrows(IllegalStateException.class, () -> QueuedTopic.awaitAny("key"));
    assertThrows(IllegalStateException.class, () -> QueuedTopic.awaitAll("key"));
  }

  @InLoop
  @Test
  @Behaviour("QE11")
  void awaitAllTakesOneOfEachKeptEventAtOnce() throws Exception {
    for (String key : List.of("a", "b", "b", "c")) {
      QueuedTopic.emitAll(key, key);
    }

    assertEquals(List.of("c", "b", "a"), QueuedTopic.awaitAll("c", "b", "a"));

    assertFalse(QueuedTopic.isQueued("a") || QueuedTopic.isQueued("c"));
    assertTrue(QueuedTopic.isQueued("b"));
  }

  @InLoop
  @Test
  @Behaviour("QE13")
  void aDuplicateInAwaitAllTakesOneKeptEventOnly() throws Exception {
    QueuedTopic.emitAll("a", 1);
    QueuedTopic.emitAll("a", 2);

    assertEquals(List.of(1), QueuedTopic.awaitAll("a", "a"));

    assertEquals(2, QueuedTopic.await("a"));
  }

  @InLoop
  @Test
  @Behaviour("QE14")
  void whatAResumedAwaitAllHasTakenStaysTaken() throws Exception {
    QueuedTopic.emitAll("a", 1);
    Coroutine<?> waiter =
        Coroutine.spawn(
            () ->
                log.addAll(
                    assertThrows(Resumed.class, () -> QueuedTopic.awaitAll("a", "b")).values()));
    Coroutine.pause();
    assertEquals(Status.SUSPENDED, waiter.status());

    waiter.resume("values");

    assertEquals(List.of("values"), log);
    assertFalse(QueuedTopic.isQueued("a"));
    assertFalse(QueuedTopic.isAwaited("a") || QueuedTopic.isAwaited("b"));
  }

  @InLoop
  @Test
  @Behaviour({"QE15", "QE18"})
  void missingKeysAreIgnoredAndAwaitAnyNeedsOne() throws Exception {
    QueuedTopic.emitAll("a", 1);
    QueuedTopic.emitAll("a", 2);

    assertEquals(List.of(1), QueuedTopic.awaitAll(null, "a", null));
    assertEquals(new Emission("a", 2), QueuedTopic.awaitAny(null, "b", "a"));
    assertEquals(List.of(), QueuedTopic.awaitAll(null, null));
    assertThrows(IllegalArgumentException.class, () -> QueuedTopic.awaitAny(null, null));
  }

  @InLoop
  @Test
  void awaitAnyTakesTheLeftmostKeptEventOnly() throws Exception {
    QueuedTopic.emitAll("b", 2);
    QueuedTopic.emitAll("a", 1);

    assertEquals(new Emission("a", 1), QueuedTopic.awaitAny("x", "a", "b"));

    assertTrue(QueuedTopic.isQueued("b"));
  }

  @InLoop
  @Test
  @Behaviour("QE17")
  void awaitAnyWithNothingKeptBehavesAsForPlainEvents() throws Exception {
    Coroutine<Emission> waiter = Coroutine.spawn(() -> QueuedTopic.awaitAny("a", "b"));
    Coroutine.pause();
    assertTrue(QueuedTopic.emitOne("b", 1));

    assertEquals(new Emission("b", 1), waiter.await());
    assertFalse(QueuedTopic.isAwaited("a") || QueuedTopic.isQueued("a"));
  }

  @InLoop
  @Test
  @Behaviour("QE19")
  void keptEventsOfAKeyWithIdentityGoWithIt() throws Exception {
    Object value = new Object();
    WeakReference<Object> kept = new WeakReference<>(value);
    WeakReference<Object> key = keepFor(value);
    value = null;

    Garbage.assertCollected(key);
    Garbage.until(
        () -> {
          QueuedTopic.isQueued("another");
          return kept.refersTo(null);
        },
        "what was kept for it is still there");
  }

  private static WeakReference<Object> keepFor(Object value) {
    Object key = new Object();
    QueuedTopic.emitAll(key, value);
    QueuedTopic.emitAll(key, value);
    assertTrue(QueuedTopic.isQueued(key));
    return new WeakReference<>(key);
  }

  @InLoop
  @Test
  void keptEventsOfAKeyThatIsEqualToOthersStay() throws Exception {
    QueuedTopic.emitAll(new ArrayList<>(List.of("key")), 1);
    System.gc();

    assertEquals(1, QueuedTopic.await(Arrays.asList("key")));
  }

  @InLoop
  @Test
  void anEventForOneThatIsResumedBeforeItRunsIsTheOldestKept() throws Exception {
    Coroutine<?> impatient =
        Coroutine.spawn(() -> assertThrows(Resumed.class, () -> QueuedTopic.await("key")));
    Coroutine.pause();

    QueuedTopic.emitOne("key", 1);
    QueuedTopic.emitOne("key", 2);
    impatient.resume();

    assertEquals(1, QueuedTopic.await("key"));
    assertEquals(2, QueuedTopic.await("key"));
  }

  @InLoop
  @Test
  void anEventThatNoneOfThoseItWasToldToHasSeenIsKept() throws Exception {
    List<Coroutine<?>> impatient = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      impatient.add(
          Coroutine.spawn(() -> assertThrows(Resumed.class, () -> QueuedTopic.await("key"))));
    }
    Coroutine.pause();

    assertTrue(QueuedTopic.emitAll("key", 1));
    assertFalse(QueuedTopic.emitAll("key", 2));
    for (Coroutine<?> each : impatient) {
      each.resume();
    }

    assertEquals(1, QueuedTopic.await("key"));
    assertEquals(2, QueuedTopic.await("key"));
    assertFalse(QueuedTopic.isQueued("key"));
  }

  @InLoop
  @Test
  void anEventThatOneOfThoseItWasToldToHasSeenIsGone() throws Exception {
    Coroutine<?> impatient =
        Coroutine.spawn(() -> assertThrows(Resumed.class, () -> QueuedTopic.await("key")));
    listener("", "key");
    Coroutine.pause();

    QueuedTopic.emitAll("key", 1);
    impatient.resume();
    Coroutine.pause();

    assertEquals(List.of("=1"), log);
    assertFalse(QueuedTopic.isQueued("key"));
  }

  @InLoop
  @Test
  void plainTopicsAreAnotherMatter() throws Exception {
    listener("", "key");
    Coroutine.pause();

    assertFalse(Topic.emitAll("key", 1));
    assertTrue(QueuedTopic.emitAll("key", 2));
    Coroutine.pause();

    assertEquals(List.of("=2"), log);
  }
}
