// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Body;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Deadlock;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.error.BusyException;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// So many at once, so many waiting, and the rest refused.
class BulkheadTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final List<String> log = new ArrayList<>();
  private int inside;
  private int most;

  private Coroutine<?> guest(Bulkhead bulkhead, String name) {
    return Coroutine.spawn(
        () -> {
          try {
            bulkhead.run(() -> stay(name));
          } catch (BusyException refused) {
            log.add(name + " refused");
          }
        });
  }

  private void stay(String name) {
    most = Math.max(most, ++inside);
    try {
      Time.sleep(SECOND);
      log.add(name);
    } finally {
      inside--;
    }
  }

  @InLoop
  @Test
  void soManyGetInSoManyWaitAndTheRestIsRefusedAtOnce(TestClock clock) throws Exception {
    Bulkhead bulkhead = Bulkhead.create(2, 1);
    List<Coroutine<?>> all = new ArrayList<>();
    for (String name : List.of("a", "b", "c", "d")) {
      all.add(guest(bulkhead, name));
    }
    Loop.awaitIdle();

    assertEquals(List.of("d refused"), log);
    assertEquals(2, bulkhead.running());
    assertEquals(1, bulkhead.waiting());
    Await.all(all);
    assertEquals(List.of("d refused", "a", "b", "c"), log);
    assertEquals(2, most);
    assertEquals(0, bulkhead.running());
    assertEquals(Duration.ofSeconds(2), clock.elapsed());
  }

  @InLoop
  @Test
  void theRefusalSaysWhy(TestClock clock) throws Exception {
    Bulkhead bulkhead = Bulkhead.create(1);
    bulkhead.run(
        () -> {
          BusyException refused =
              assertThrows(BusyException.class, () -> bulkhead.run(() -> log.add("inside")));
          assertEquals("a bulkhead for 1 at once and 0 waiting is full", refused.getMessage());
        });
    assertEquals(List.of(), log);
  }

  @InLoop
  @Test
  void whateverTheBodyDoesItsPlaceIsFreeAfterwards(TestClock clock) throws Exception {
    Bulkhead bulkhead = Bulkhead.create(1);
    assertEquals(7, bulkhead.run(() -> 7));
    assertThrows(
        IOException.class,
        () ->
            bulkhead.run(
                () -> {
                  throw new IOException();
                }));
    assertThrows(
        AssertionError.class,
        () ->
            bulkhead.run(
                () -> {
                  throw new AssertionError();
                }));
    assertThrows(
        TimeoutException.class,
        () -> Time.timeout(SECOND, () -> bulkhead.run(() -> Time.sleep(Duration.ofHours(1)))));
    assertEquals(0, bulkhead.running());
    assertEquals(8, bulkhead.run(() -> 8));
  }

  @InLoop
  @Test
  void whoeverLeavesTheLineMakesPlaceForAnother(TestClock clock) throws Exception {
    Bulkhead bulkhead = Bulkhead.create(1, 1);
    Coroutine<?> first = guest(bulkhead, "first");
    Coroutine<?> second = guest(bulkhead, "second");
    Loop.awaitIdle();
    second.cancel();
    Coroutine<?> third = guest(bulkhead, "third");

    Await.all(first, third);
    assertEquals(List.of("first", "third"), log);
  }

  @InLoop
  @Test
  void whoeverIsResumedInTheLineLeavesItToTheNext(TestClock clock) throws Exception {
    Bulkhead bulkhead = Bulkhead.create(1, 2);
    Coroutine<?> first = guest(bulkhead, "first");
    Coroutine<?> second =
        Coroutine.spawn(
            () -> {
              try {
                bulkhead.run(() -> stay("second"));
              } catch (Resumed resumed) {
                log.add("resumed");
              }
            });
    Coroutine<?> third = guest(bulkhead, "third");
    Loop.awaitIdle();
    second.resume();

    Await.all(first, third);
    assertEquals(List.of("resumed", "first", "third"), log);
    assertEquals(0, bulkhead.running());
  }

  /// At every moment, in the line, at the door and inside.
  @InLoop
  @Test
  void whoeverIsCancelledWheneverNoPlaceIsLost(TestClock clock) throws Exception {
    for (int turns = 0; turns < 12; turns++) {
      for (int who = 0; who < 4; who++) {
        Bulkhead bulkhead = Bulkhead.create(2, 5);
        List<Coroutine<?>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          all.add(
              Coroutine.spawn(
                  () ->
                      bulkhead.run(
                          () -> {
                            Coroutine.pause();
                            Coroutine.pause();
                          })));
        }
        for (int i = 0; i < turns; i++) {
          Coroutine.pause();
        }
        all.get(who).cancel();
        Await.settle(all);

        assertEquals(0, bulkhead.running(), "after " + turns + ", " + who);
        assertEquals(0, bulkhead.waiting());
        bulkhead.run(() -> bulkhead.run(() -> 1)); // both places are there
      }
    }
  }

  @InLoop
  @Test
  void thoseWhoWaitGetInInTheOrderTheyCame(TestClock clock) throws Exception {
    Bulkhead bulkhead = Bulkhead.create(3, Integer.MAX_VALUE);
    List<String> expected = new ArrayList<>();
    List<Coroutine<?>> all = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      all.add(guest(bulkhead, "" + i));
      expected.add("" + i);
    }
    Await.all(all);

    assertEquals(expected, log);
    assertEquals(3, most);
    assertEquals(Duration.ofSeconds(100), clock.elapsed());
  }

  @InLoop
  @Test
  void thereAreNeverMoreInsideOrInTheLineThanThereIsPlace(TestClock clock) throws Exception {
    Random random = new Random(2);
    Bulkhead bulkhead = Bulkhead.create(3, 4);
    List<Coroutine<?>> all = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      all.add(guest(bulkhead, "" + i));
      if (random.nextInt(3) == 0) {
        all.get(random.nextInt(all.size())).cancel();
      }
      if (random.nextInt(4) == 0) {
        Time.sleep(Duration.ofMillis(random.nextInt(700)));
      }
      assertTrue(bulkhead.waiting() <= 4 && bulkhead.running() <= 3);
    }
    Await.settle(all);

    assertTrue(most <= 3);
    assertEquals(0, bulkhead.running());
  }

  @Test
  void aBodyThatWaitsForItsOwnBulkheadIsADeadlock() {
    assertThrows(
        Deadlock.class,
        () ->
            Loop.run(
                () -> {
                  Bulkhead bulkhead = Bulkhead.create(1, 1);
                  bulkhead.run(() -> bulkhead.run(() -> 1));
                }));
  }

  @InLoop
  @Test
  void whatMakesNoSenseIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Bulkhead.create(0));
    assertThrows(IllegalArgumentException.class, () -> Bulkhead.create(-1, 1));
    assertThrows(IllegalArgumentException.class, () -> Bulkhead.create(1, -1));
    Bulkhead bulkhead = Bulkhead.create(Integer.MAX_VALUE, Integer.MAX_VALUE);
    assertThrows(NullPointerException.class, () -> bulkhead.run((Body<?>) null));
    assertEquals(0, bulkhead.running());
  }
}
