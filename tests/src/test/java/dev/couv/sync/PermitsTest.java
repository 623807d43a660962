// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Deadlock;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// A number of permits, taken and given back.
class PermitsTest {
  private final List<Object> log = new ArrayList<>();

  private Coroutine<?> taker(Permits permits, int count) {
    return Coroutine.spawn(
        () -> {
          permits.acquire(count);
          log.add(count);
        });
  }

  @InLoop
  @Test
  void whatIsThereIsTakenAtOnce() throws Exception {
    Permits permits = new Permits(3);
    permits.acquire();
    permits.acquire(2);

    assertEquals(0, permits.available());
    assertFalse(permits.tryAcquire());
    assertTrue(permits.tryAcquire(0));
    permits.release(3);
    assertTrue(permits.tryAcquire(3));
  }

  @InLoop
  @Test
  void oneWhoWantsManyIsNotOvertakenByThoseWhoWantFew() throws Exception {
    Permits permits = new Permits(0);
    taker(permits, 3);
    taker(permits, 1);
    Coroutine.pause();

    permits.release(2);
    Coroutine.pause();
    assertEquals(List.of(), log);
    assertEquals(2, permits.available());
    assertEquals(2, permits.waiting());
    assertFalse(permits.tryAcquire(), "nobody slips in");

    permits.release(2);
    Coroutine.pause();
    assertEquals(List.of(3, 1), log);
  }

  @InLoop
  @Test
  void theFirstInTheQueueThatLeavesMakesWayForThoseWhoWantLess() throws Exception {
    Permits permits = new Permits(0);
    Coroutine<?> many = taker(permits, 3);
    taker(permits, 1);
    taker(permits, 1);
    Coroutine.pause();
    permits.release(2);

    many.cancel();
    Coroutine.pause();

    assertEquals(List.of(1, 1), log);
  }

  @InLoop
  @Test
  void whatWasHandedToOneThatIsResumedGoesToTheNext() throws Exception {
    Permits permits = new Permits(0);
    Coroutine<?> impatient =
        Coroutine.spawn(() -> assertThrows(Resumed.class, () -> permits.acquire(2)));
    Coroutine<?> next = taker(permits, 1);
    Coroutine.pause();

    permits.release(2);
    assertEquals(0, permits.available(), "they are reserved");
    impatient.resume();
    next.await();

    assertEquals(1, permits.available());
  }

  @InLoop
  @Test
  void aHoldGivesBackWhatItTookWhateverHappens() throws Exception {
    Permits permits = new Permits(5);
    try (Hold all = permits.hold(5)) {
      assertEquals("5 permits", all.toString());
      assertEquals(0, permits.available());
      throw new IllegalStateException("whatever");
    } catch (IllegalStateException expected) {
      assertEquals(5, permits.available());
    }
  }

  @Test
  void onlySoManyAreInsideAtOnce() throws Exception {
    new TestClock()
        .run(
            () -> {
              Permits permits = new Permits(3);
              int[] inside = new int[2];
              List<Coroutine<?>> visitors = new ArrayList<>();
              for (int i = 0; i < 10; i++) {
                visitors.add(
                    Coroutine.spawn(
                        () -> {
                          try (Hold _ = permits.hold()) {
                            inside[1] = Math.max(inside[1], ++inside[0]);
                            Time.sleep(Duration.ofSeconds(1));
                            inside[0]--;
                          }
                        }));
              }
              for (Coroutine<?> visitor : visitors) {
                visitor.await();
              }

              assertEquals(3, inside[1]);
            });
  }

  @Test
  void aTimeoutEndsTheWaitAndTakesNothing() throws Exception {
    new TestClock()
        .run(
            () -> {
              Permits permits = new Permits(1);

              assertThrows(
                  TimeoutException.class,
                  () -> Time.timeout(Duration.ofMinutes(1), () -> permits.acquire(2)));

              assertEquals(1, permits.available());
              assertEquals(0, permits.waiting());
              assertTrue(permits.tryAcquire());
            });
  }

  @Test
  void misuseIsRefused() throws Exception {
    assertThrows(IllegalArgumentException.class, () -> new Permits(-1));
    Permits permits = new Permits(1);
    assertThrows(IllegalStateException.class, permits::acquire);
    Loop.run(
        () -> {
          assertThrows(IllegalArgumentException.class, () -> permits.acquire(-1));
          assertThrows(IllegalArgumentException.class, () -> permits.release(-1));
          assertThrows(IllegalArgumentException.class, () -> permits.release(Integer.MAX_VALUE));
          permits.acquire();
          Loop.offload(
              () -> {
                assertThrows(IllegalStateException.class, permits::release);
                assertThrows(IllegalStateException.class, permits::tryAcquire);
                return null;
              });
          assertEquals(0, permits.available());
        });
  }

  @Test
  void waitingForWhatNobodyGivesBackIsADeadlockThatSaysSo() {
    Deadlock deadlock =
        assertThrows(Deadlock.class, () -> Loop.run(() -> new Permits(1).acquire(2)));

    assertTrue(
        deadlock.getMessage().contains("2 permits, of which 1 are there"), deadlock::getMessage);
  }
}
