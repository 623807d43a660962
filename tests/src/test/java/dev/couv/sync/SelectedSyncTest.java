// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Awaitable;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.coro.Selected;
import dev.couv.error.BrokenException;
import dev.couv.testing.InLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Locks, permits and gates as members of a wait: they are taken only if they win.
@InLoop
class SelectedSyncTest {
  private final List<Object> log = new ArrayList<>();

  @Test
  void whatIsFreeIsTakenAtOnce() throws Exception {
    Mutex mutex = new Mutex();
    Permits permits = new Permits(2);
    Gate gate = new Gate(true);

    try (Hold _ = Await.any(mutex.locking(), permits.acquiring(1))) {
      assertTrue(mutex.isOwned());
      assertEquals(2, permits.available(), "the loser is left as it was");
    }
    assertFalse(mutex.isLocked());
    try (Hold _ = permits.acquiring(2).await()) {
      assertEquals(0, permits.available());
    }
    assertSame(gate, Await.<Object>select(gate, mutex.locking()).source());
  }

  @Test
  void theFirstToBeFreeWinsAndTheOthersAreLeft() throws Exception {
    Mutex mutex = Mutex.of("key");
    mutex.lock();
    Permits permits = new Permits(0);
    Gate gate = new Gate();
    Coroutine<?> waiter =
        Coroutine.spawn(
            () -> {
              Awaitable<Hold> locking = Mutex.of("key").locking();
              Selected<Object> first = Await.<Object>select(gate, permits.acquiring(1), locking);
              log.add(first.source() == locking);
              ((Hold) first.value()).close();
            });
    Coroutine.pause();
    assertEquals(1, permits.waiting());

    mutex.unlock();
    permits.release();
    gate.open();
    waiter.await();

    assertEquals(List.of(true), log);
    assertEquals(1, permits.available());
    assertEquals(0, permits.waiting());
    assertFalse(mutex.isLocked());
  }

  @Test
  void theyKeepTheirTurnAmongThoseWhoJustWait() throws Exception {
    Permits permits = new Permits(0);
    Gate never = new Gate();
    Coroutine.spawn(
        () -> {
          permits.acquire();
          log.add(1);
        });
    Coroutine.spawn(
        () -> {
          Await.<Object>select(never, permits.acquiring(1));
          log.add(2);
        });
    Coroutine.spawn(
        () -> {
          permits.acquire();
          log.add(3);
        });
    Coroutine.pause();
    for (int i = 0; i < 3; i++) {
      permits.release();
      Coroutine.pause();
    }

    assertEquals(List.of(1, 2, 3), log);
  }

  @Test
  void oneThatWonAndIsResumedHandsItToTheNext() throws Exception {
    Mutex mutex = new Mutex();
    mutex.lock();
    Gate never = new Gate();
    Coroutine<?> impatient =
        Coroutine.spawn(
            () -> assertThrows(Resumed.class, () -> Await.<Object>select(never, mutex.locking())));
    Coroutine<?> next =
        Coroutine.spawn(
            () -> {
              mutex.lock();
              log.add("next");
              mutex.unlock();
            });
    Coroutine.pause();

    mutex.unlock();
    impatient.resume();
    next.await();

    assertEquals(List.of("next"), log);
    assertFalse(mutex.isLocked());
  }

  @Test
  void oneThatLeavesMakesWay() throws Exception {
    Permits permits = new Permits(1);
    Gate never = new Gate();
    Coroutine<?> leaving = Coroutine.spawn(() -> Await.<Object>select(never, permits.acquiring(2)));
    Coroutine<?> next = Coroutine.spawn(() -> permits.acquire());
    Coroutine.pause();

    leaving.cancel();
    next.await();

    assertThrows(CancellationException.class, leaving::await);
    assertEquals(0, permits.available());
  }

  @Test
  void aBrokenMutexIsAFailureAndANestedOneIsRefused() throws Exception {
    Mutex mutex = new Mutex();
    Coroutine.spawn(mutex::lock).await();
    assertThrows(BrokenException.class, () -> mutex.locking().await());

    Mutex mine = new Mutex();
    mine.lock();
    assertThrows(IllegalStateException.class, () -> mine.locking().await());
    mine.unlock();
  }

  @Test
  void manyMayAwaitTheSameGate() throws Exception {
    Gate gate = new Gate();
    Gate never = new Gate();
    List<Coroutine<?>> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int number = i;
      waiters.add(
          Coroutine.spawn(
              () -> {
                Await.<Object>select(never, gate);
                log.add(number);
              }));
    }
    Coroutine.pause();
    gate.open();
    Await.all(waiters);

    assertEquals(List.of(0, 1, 2, 3, 4), log);
  }
}
