// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Events on values: all of a set of keys, or any.
@InLoop
class TopicSetsTest {
  private final List<Object> log = new ArrayList<>();

  private Coroutine<?> all(Object name, Object... keys) {
    return Coroutine.spawn(() -> log.add(name + "" + Topic.awaitAll(keys)));
  }

  private Coroutine<?> any(Object name, Object... keys) {
    return Coroutine.spawn(() -> log.add(name + ":" + Topic.awaitAny(keys)));
  }

  @Test
  @Behaviour("EV14")
  void awaitAllEndsWithTheLastOfItsEventsInWhateverOrder() throws Exception {
    for (List<String> order :
        List.of(List.of("a", "b", "c"), List.of("c", "a", "b"), List.of("b", "c", "a"))) {
      Coroutine<?> waiter = all("", "a", "b", "c");
      Coroutine.pause();
      for (String key : order) {
        assertEquals(Status.SUSPENDED, waiter.status());
        assertTrue(Topic.emitAll(key, key + key));
      }
      waiter.await();
    }

    assertEquals(List.of("[aa, bb, cc]", "[aa, bb, cc]", "[aa, bb, cc]"), log);
  }

  @Test
  @Behaviour("EV15")
  void awaitAllOfNothingReturnsAtOnce() throws Exception {
    assertEquals(List.of(), Topic.awaitAll());
    assertEquals(List.of(), Topic.awaitAll(null, null));
  }

  @Test
  @Behaviour("EV17")
  void duplicatesInAwaitAllCountOnce() throws Exception {
    Coroutine<?> waiter = all("", "a", "b", "a", null, "b");
    Coroutine.pause();
    Topic.emitOne("a", 1);
    Topic.emitOne("b", 2);
    waiter.await();

    assertEquals(List.of("[1, 2]"), log);
  }

  @Test
  @Behaviour("EV18")
  void aResumedAwaitAllLeavesNoRegistrationBehind() throws Exception {
    Coroutine<?> waiter =
        Coroutine.spawn(
            () ->
                log.addAll(
                    assertThrows(Resumed.class, () -> Topic.awaitAll("a", "b", "c")).values()));
    Coroutine.pause();
    Topic.emitAll("b", 1);

    waiter.resume("values");

    assertEquals(List.of("values"), log);
    for (String key : List.of("a", "b", "c")) {
      assertFalse(Topic.isAwaited(key), key);
    }
  }

  @Test
  @Behaviour("EV19")
  void anEventThatComesTwiceCountsOnceForAwaitAll() throws Exception {
    Coroutine<?> waiter = all("", "a", "b");
    Coroutine.pause();

    assertTrue(Topic.emitAll("a", 1));
    assertFalse(Topic.emitAll("a", 2));
    assertEquals(Status.SUSPENDED, waiter.status());
    assertTrue(Topic.emitAll("b", 3));
    waiter.await();

    assertEquals(List.of("[1, 3]"), log);
  }

  @Test
  @Behaviour("EV21")
  void thoseWhoAwaitAllOfSeveralWakeInTheOrderTheyCame() throws Exception {
    all(1, "c");
    all(2, "a", "b", "c");
    all(3, "c", "a");
    Coroutine.pause();
    Topic.emitAll("a", "A");
    Topic.emitAll("b", "B");
    Topic.emitAll("c", "C");
    Coroutine.pause();

    assertEquals(List.of("1[C]", "2[A, B, C]", "3[C, A]"), log);
  }

  @Test
  @Behaviour("EV22")
  void awaitAnyOfNothingIsRefused() throws Exception {
    assertThrows(IllegalArgumentException.class, () -> Topic.awaitAny());
    assertThrows(IllegalArgumentException.class, () -> Topic.awaitAny(null, null));
  }

  @Test
  @Behaviour("EV23")
  void awaitAnyEndsWithTheFirstEventAndIsRegisteredNowhereAnyMore() throws Exception {
    for (String key : List.of("a", "b", "c")) {
      Coroutine<Emission> waiter = Coroutine.spawn(() -> Topic.awaitAny("a", null, "b", "c"));
      Coroutine.pause();
      assertTrue(Topic.isAwaited("a") && Topic.isAwaited("b") && Topic.isAwaited("c"));

      Topic.emitOne(key, 7);

      assertFalse(Topic.isAwaited("a") || Topic.isAwaited("b") || Topic.isAwaited("c"));
      assertEquals(new Emission(key, 7), waiter.await());
    }
  }

  @Test
  @Behaviour("EV25")
  void aResumedAwaitAnyLeavesNoRegistrationBehind() throws Exception {
    Coroutine<?> waiter =
        Coroutine.spawn(
            () -> log.addAll(assertThrows(Resumed.class, () -> Topic.awaitAny("a", "b")).values()));
    Coroutine.pause();

    waiter.resume("values");

    assertEquals(List.of("values"), log);
    assertFalse(Topic.isAwaited("a") || Topic.isAwaited("b"));
  }

  @Test
  @Behaviour("EV26")
  void ofOverlappingSetsOnlyMembersWakeInTheirOrder() throws Exception {
    any(1, "a", "b");
    any(2, "b", "c");
    any(3, "c", "a");
    any(4, "b");
    Coroutine.pause();

    Topic.emitAll("a", 0);
    Coroutine.pause();
    assertEquals(List.of("1:Emission[key=a, value=0]", "3:Emission[key=a, value=0]"), log);
    log.clear();
    assertTrue(Topic.emitAll("b", 0));
    assertFalse(Topic.emitAll("c", 0));
    Coroutine.pause();

    assertEquals(List.of("2:Emission[key=b, value=0]", "4:Emission[key=b, value=0]"), log);
  }

  /// A woken waiter runs later, so an emission from inside one reaches those who wait at that moment, and
  /// never one that was woken already.
  @Test
  @Behaviour("EV27")
  void emitsFromInsideReachWhoeverMovedOnOnce() throws Exception {
    Coroutine<?> mover =
        Coroutine.spawn(
            () -> {
              log.add(Topic.awaitAny("a", "b").value());
              log.add(Topic.awaitAny("b", "c").value());
            });
    Coroutine<?> emitter =
        Coroutine.spawn(
            () -> {
              log.add("emitter " + Topic.awaitAny("a", "x").value());
              Topic.emitAll("b", "inner");
            });
    Coroutine.pause();

    Topic.emitAll("a", "outer");
    mover.await();
    emitter.await();

    assertEquals(List.of("outer", "emitter outer", "inner"), log);
    assertFalse(Topic.isAwaited("b") || Topic.isAwaited("c"));
  }

  @Test
  void anEventForAnAwaitAnyThatIsResumedBeforeItRunsIsTheNextOnes() throws Exception {
    Coroutine<?> impatient =
        Coroutine.spawn(() -> assertThrows(Resumed.class, () -> Topic.awaitAny("a", "b")));
    any("next", "b");
    Coroutine.pause();

    Topic.emitOne("b", "value");
    impatient.resume();
    Coroutine.pause();

    assertEquals(List.of("next:Emission[key=b, value=value]"), log);
  }

  @Test
  void aValueMayBeNothing() throws Exception {
    Coroutine<List<Object>> waiter = Coroutine.spawn(() -> Topic.awaitAll("a", "b"));
    Coroutine.pause();
    Topic.emitAll("b");
    Topic.emitAll("a", 1);

    assertEquals(Arrays.asList(1, null), waiter.await());
  }
}
