// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Deadlock;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Events on values: one key at a time.
class TopicTest {
  private final List<Object> log = new ArrayList<>();

  private Coroutine<?> listener(Object name, Object key) {
    return Coroutine.spawn(() -> log.add(name + "=" + Topic.await(key)));
  }

  @InLoop
  @Test
  @Behaviour("EV01")
  void aValueIsAwaitedExactlyWhileSomebodyAwaitsIt() throws Exception {
    List<Object> keys =
        List.of(false, 0, 0.5, "text", 'c', new int[1], new Object(), Topic.class, List.of(1));
    for (Object key : keys) {
      assertFalse(Topic.isAwaited(key));
      Coroutine<?> listener = Coroutine.spawn(() -> Topic.await(key));
      assertFalse(Topic.isAwaited(key), "it has not run yet");
      Coroutine.pause();
      assertTrue(Topic.isAwaited(key));

      assertTrue(Topic.emitAll(key));

      assertFalse(Topic.isAwaited(key));
      assertNull(listener.await());
    }
  }

  @InLoop
  @Test
  @Behaviour("EV02")
  void noValueIsNeverAwaitedAndReachesNobody() throws Exception {
    assertFalse(Topic.isAwaited(null));
    assertFalse(Topic.emitOne(null, 1));
    assertFalse(Topic.emitAll(null));
  }

  /// One who awaits a key that nobody else knows is not collected, as in the seeds, but found.
  @Test
  @Behaviour("EV03")
  void aKeyThatNobodyAwaitsIsNotKeptAndOneThatOnlyItsWaiterKnowsIsADeadlock() throws Exception {
    Loop.run(() -> Garbage.assertCollected(used()));

    Deadlock deadlock =
        assertThrows(Deadlock.class, () -> Loop.run(() -> Topic.await(new Object())));

    assertTrue(deadlock.getMessage().contains("topic java.lang.Object"), deadlock::getMessage);
  }

  private static WeakReference<Object> used() throws Exception {
    Object key = new Object();
    assertFalse(Topic.isAwaited(key));
    assertFalse(Topic.emitAll(key, "early"));
    Coroutine<?> listener = Coroutine.spawn(() -> Topic.await(key));
    Coroutine.pause();
    Topic.emitOne(key);
    listener.await();
    return new WeakReference<>(key);
  }

  @InLoop
  @Test
  @Behaviour({"EV05", "EV09", "EV11"})
  void emittingToAllWakesEveryWaiterOnceInTheirOrderWithTheValue() throws Exception {
    for (int i = 0; i < 16; i++) {
      listener(i, "key");
    }
    Coroutine.pause();

    assertTrue(Topic.emitAll("key", "value"));
    assertFalse(Topic.emitAll("key", "again"));
    Coroutine.pause();

    List<String> expected = IntStream.range(0, 16).mapToObj(i -> i + "=value").toList();
    assertEquals(expected, log);
  }

  @InLoop
  @Test
  @Behaviour("EV06")
  void emittingToOneWakesThemOneByOneInTheirOrder() throws Exception {
    for (int i = 0; i < 3; i++) {
      listener(i, "key");
    }
    Coroutine.pause();

    assertTrue(Topic.emitOne("key", "a"));
    Coroutine.pause();
    assertEquals(List.of("0=a"), log);
    assertTrue(Topic.emitOne("key", "b"));
    assertTrue(Topic.emitOne("key", "c"));
    assertFalse(Topic.emitOne("key", "d"));
    Coroutine.pause();

    assertEquals(List.of("0=a", "1=b", "2=c"), log);
  }

  @InLoop
  @Test
  @Behaviour("EV07")
  void awaitingNothingIsRefused() throws Exception {
    assertThrows(NullPointerException.class, () -> Topic.await(null));
  }

  @InLoop
  @Test
  @Behaviour("EV10")
  void aResumedWaiterGetsTheResumersValuesAndIsNotRegisteredAnyMore() throws Exception {
    Coroutine<?> listener =
        Coroutine.spawn(
            () -> {
              Resumed resumed = assertThrows(Resumed.class, () -> Topic.await("key"));
              log.addAll(resumed.values());
            });
    Coroutine.pause();

    listener.resume(1, 2);

    assertEquals(List.of(1, 2), log);
    assertFalse(Topic.isAwaited("key"));
    assertFalse(Topic.emitAll("key", 3));
  }

  @InLoop
  @Test
  @Behaviour("EV13")
  void oneThatAwaitsAgainIsNotWokenByTheEmissionThatWokeIt() throws Exception {
    Coroutine<?> eager =
        Coroutine.spawn(
            () -> {
              log.add(Topic.await("key"));
              log.add(Topic.await("key"));
            });
    Coroutine<?> second = listener("second", "key");
    Coroutine.pause();

    Topic.emitAll("key", "first");
    second.await();

    assertEquals(List.of("first", "second=first"), log);
    assertTrue(Topic.isAwaited("key"));
    Topic.emitAll("key", "later");
    eager.await();
  }

  @InLoop
  @Test
  void theSameKeyIsOneThatIsEqual() throws Exception {
    Coroutine<?> listener = listener("", new StringBuilder("ke").append("y").toString());
    Coroutine.pause();

    assertTrue(Topic.emitAll("key", List.of(1)));
    listener.await();

    assertEquals(List.of("=[1]"), log);
  }

  @InLoop
  @Test
  void eachLoopHasItsOwn() throws Exception {
    Coroutine<?> listener = listener("", "key");
    Coroutine.pause();

    Loop.offload(
        () -> {
          assertThrows(IllegalStateException.class, () -> Topic.emitAll("key"));
          assertThrows(IllegalStateException.class, () -> Topic.await("key"));
          Loop.run(() -> assertFalse(Topic.emitAll("key", "elsewhere")));
          return null;
        });

    assertTrue(Topic.emitAll("key", "here"));
    listener.await();
    assertEquals(List.of("=here"), log);
  }

  @InLoop
  @Test
  void anEventForOneThatIsResumedBeforeItRunsIsTheNextOnes() throws Exception {
    Coroutine<?> impatient =
        Coroutine.spawn(() -> assertThrows(Resumed.class, () -> Topic.await("key")));
    Coroutine<?> next = listener("next", "key");
    Coroutine.pause();

    Topic.emitOne("key", "value");
    impatient.resume();
    next.await();

    assertEquals(List.of("next=value"), log);
  }

  @InLoop
  @Test
  void anEventForAllIsNotToldTwice() throws Exception {
    Coroutine<?> impatient =
        Coroutine.spawn(
            () -> {
              assertThrows(Resumed.class, () -> Topic.await("key"));
              Topic.await("key");
            });
    Coroutine.pause();

    Topic.emitAll("key", "value");
    impatient.resume();
    Coroutine.pause();

    assertTrue(Topic.isAwaited("key"), "it missed the event and awaits the next");
    Topic.emitAll("key", "next");
    impatient.await();
  }
}
