// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Awaitable;
import dev.couv.coro.Coroutine;
import dev.couv.testing.InLoop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A select that something else has won, or that was cancelled, and whose coroutine has not run since: it
/// stands in nobody's way.
@InLoop
class LostSelectTest {
  private final List<Object> log = new ArrayList<>();

  @Test
  void theMutexOfAKeyHasOneOwner() throws Exception {
    Mutex.of("key").lock();
    lose(() -> Mutex.of("key").locking());
    Mutex.of("key").unlock();
    Mutex.of("key").lock();
    Coroutine.pause(); // it withdraws from the lock of before

    assertTrue(Mutex.of("key").isOwned());
    Coroutine.spawn(() -> assertFalse(Mutex.of("key").tryLock())).await();
    assertFalse(Mutex.of("key").unlock());
  }

  @Test
  void aPermitThatIsThereIsTakenWithoutWaiting() throws Exception {
    Permits permits = new Permits(0);
    lose(() -> permits.acquiring(1));
    permits.release();

    assertTrue(permits.tryAcquire());
  }

  @Test
  void aPermitIsTakenWithoutWaitingAlsoIfTheSelectWasCancelled() throws Exception {
    Permits permits = new Permits(0);
    Coroutine<?> selecting =
        Coroutine.spawn(() -> Await.any(permits.acquiring(1), new Promise<Object>()));
    Coroutine.pause();
    selecting.cancel();
    permits.release();

    assertTrue(permits.tryAcquire());
  }

  @Test
  void aFreeMutexIsLockedWithoutWaiting() throws Exception {
    Mutex mutex = new Mutex();
    mutex.lock();
    lose(mutex::locking);
    mutex.unlock();

    assertTrue(mutex.tryLock());
  }

  @Test
  void acquiringDoesNotWaitForItEither() throws Exception {
    Permits permits = new Permits(0);
    lose(() -> permits.acquiring(1));
    permits.release();
    Coroutine.spawn(() -> log.add("another had a turn"));
    permits.acquire();

    assertEquals(List.of(), log);
  }

  @Test
  void whoStandsBehindItComesFirst() throws Exception {
    Permits permits = new Permits(0);
    Chan<Object> chan = Chan.create(0);
    Coroutine.spawn(() -> Await.any(permits.acquiring(5), chan.receiving()));
    Coroutine.pause();
    Coroutine<?> behind =
        Coroutine.spawn(
            () -> {
              permits.acquire();
              log.add("behind");
            });
    Coroutine.pause();
    chan.send("first");
    permits.release();

    assertFalse(permits.tryAcquire(), "it is his who came earlier");
    behind.await();
    assertEquals(List.of("behind"), log);
  }

  @Test
  void aSenderPassesThemByOnceAndFindsTheReceiver() throws Exception {
    Chan<Object> chan = Chan.create(0);
    Promise<Object> other = new Promise<>();
    for (int i = 0; i < 100; i++) {
      Coroutine.spawn(() -> Await.any(chan.receiving(), other));
    }
    Coroutine.pause();
    Coroutine.spawn(() -> log.add(chan.receive()));
    Coroutine.pause();
    other.complete("other");

    assertTrue(chan.trySend(1));
    assertEquals(0, chan.stats().receivers(), "nobody waits any more");
    Coroutine.pause();
    Coroutine.pause();
    assertEquals(List.of(1), log);
  }

  /// Somebody has selected it, together with something else that won. He has not run since.
  private static void lose(Source source) throws Exception {
    Chan<Object> chan = Chan.create(0);
    Coroutine.spawn(() -> Await.any(source.get(), chan.receiving()));
    Coroutine.pause();
    chan.send("other");
  }

  private interface Source {
    Awaitable<?> get();
  }
}
