// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.error.BrokenException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/// A lock that is owned across awaits.
class MutexTest {
  private final List<Object> log = new ArrayList<>();

  @InLoop
  @Test
  @Behaviour("MX01")
  void lockingWhatIsFreeTakesItAtOnce() throws Exception {
    Mutex mutex = new Mutex();
    Coroutine<?> other = Coroutine.spawn(() -> log.add("another had a turn"));

    assertFalse(mutex.isLocked());
    mutex.lock();

    assertTrue(mutex.isLocked());
    assertTrue(mutex.isOwned());
    assertEquals(List.of(), log);
    assertFalse(mutex.unlock(), "nobody waited");
    assertFalse(mutex.isLocked());
    assertFalse(mutex.isOwned());
    other.await();
  }

  @InLoop
  @Test
  @Behaviour("MX02")
  void aMutexOfNothingIsRefused() throws Exception {
    assertThrows(NullPointerException.class, () -> Mutex.of(null));
  }

  @InLoop
  @Test
  @Behaviour("MX03")
  void unlockHandsOverToTheLongestWaiterBeforeItReturns() throws Exception {
    Mutex mutex = new Mutex();
    mutex.lock();
    Coroutine<?> first = Coroutine.spawn(() -> visit(mutex, "first"));
    Coroutine<?> second = Coroutine.spawn(() -> visit(mutex, "second"));
    Coroutine.pause();

    assertTrue(mutex.unlock());

    assertTrue(mutex.isLocked(), "it is the first one's already");
    assertFalse(mutex.isOwned());
    assertFalse(mutex.tryLock(), "nobody slips in");
    Coroutine<?> late = Coroutine.spawn(() -> visit(mutex, "late"));
    first.await();
    second.await();
    late.await();
    assertEquals(
        List.of("first in", "first out", "second in", "second out", "late in", "late out"), log);
  }

  private void visit(Mutex mutex, String who) throws Exception {
    try (Hold held = mutex.hold()) {
      assertTrue(mutex.isOwned(), held::toString);
      log.add(who + " in");
      Coroutine.pause();
      log.add(who + " out");
    }
  }

  @InLoop
  @Test
  @Behaviour("MX05")
  void unlockingWhatOneDoesNotOwnIsRefusedAndChangesNothing() throws Exception {
    Mutex mutex = new Mutex();
    assertThrows(IllegalStateException.class, mutex::unlock);
    mutex.lock();

    Coroutine<?> thief =
        Coroutine.spawn(
            () -> {
              assertThrows(IllegalStateException.class, mutex::unlock);
              assertFalse(mutex.isOwned());
              assertTrue(mutex.isLocked());
            });

    thief.await();
    assertTrue(mutex.isOwned());
    mutex.unlock();
  }

  @InLoop
  @Test
  @Behaviour("MX06")
  void lockingWhatOneOwnsIsRefused() throws Exception {
    Mutex mutex = new Mutex();
    mutex.lock();

    assertThrows(IllegalStateException.class, mutex::lock);
    assertThrows(IllegalStateException.class, mutex::tryLock);

    assertTrue(mutex.isOwned());
    mutex.unlock();
  }

  @InLoop
  @Test
  @Behaviour("MX07")
  void anEventOnTheSameKeyGivesNobodyTheLock() throws Exception {
    Mutex mutex = Mutex.of("key");
    mutex.lock();
    Coroutine<?> first = Coroutine.spawn(() -> visit(Mutex.of("key"), "first"));
    Coroutine<?> second = Coroutine.spawn(() -> visit(Mutex.of("key"), "second"));
    Coroutine.pause();

    assertFalse(Topic.emitAll("key", null), "nobody awaits it as an event");
    Coroutine.pause();

    assertEquals(List.of(), log);
    mutex.unlock();
    first.await();
    second.await();
    assertEquals(List.of("first in", "first out", "second in", "second out"), log);
  }

  /// In the seeds the waiter of the event takes the wake-up, and the lock stays free with its waiter
  /// asleep. Here the two know nothing of each other.
  @InLoop
  @Test
  @Behaviour("MX09")
  void anEventWaiterAheadDoesNotTakeTheWakeUpOfAnUnlock() throws Exception {
    Mutex mutex = Mutex.of("key");
    mutex.lock();
    Coroutine<?> listener = Coroutine.spawn(() -> log.add(Topic.await("key")));
    Coroutine.pause();
    Coroutine<?> waiter = Coroutine.spawn(() -> visit(mutex, "waiter"));
    Coroutine.pause();

    assertTrue(mutex.unlock());
    waiter.await();

    assertEquals(List.of("waiter in", "waiter out"), log);
    assertTrue(Topic.emitAll("key", "event"));
    listener.await();
  }

  @InLoop
  @Test
  @Behaviour("MX10")
  void nothingIsKeptForAKeyThatIsNotLocked() throws Exception {
    WeakReference<Object> key = lockAndUnlock();

    Garbage.assertCollected(key);
  }

  private static WeakReference<Object> lockAndUnlock() {
    Object key = new Object();
    Mutex.of(key).lock();
    Mutex.of(key).unlock();
    assertTrue(Mutex.of(key).tryLock());
    Mutex.of(key).unlock();
    return new WeakReference<>(key);
  }

  @InLoop
  @Test
  void mutexesOfEqualKeysAreTheSame() throws Exception {
    Mutex.of(List.of("a", 1)).lock();

    assertTrue(Mutex.of(List.of("a", 1)).isOwned());
    assertFalse(Mutex.of(List.of("a", 2)).isLocked());
    Coroutine<Boolean> other = Coroutine.spawn(() -> Mutex.of(List.of("a", 1)).tryLock());
    assertFalse(other.await());
    Mutex.of(List.of("a", 1)).unlock();
  }

  @InLoop
  @Test
  void closingAHoldTwiceUnlocksOnce() throws Exception {
    Mutex mutex = new Mutex();
    Hold hold = mutex.hold();
    hold.close();
    hold.close();

    assertFalse(mutex.isLocked());
  }

  /// In the seeds the mutex of a dead owner stays locked for ever.
  @InLoop
  @Test
  void aMutexWhoseOwnerEndedIsBrokenForThoseWhoWaitAndThoseWhoCome() throws Exception {
    Mutex mutex = new Mutex();
    Coroutine<?> owner =
        Coroutine.spawn(
                () -> {
                  mutex.lock();
                  Coroutine.pause();
                  Coroutine.pause();
                })
            .named("careless");
    Coroutine<?> waiter = Coroutine.spawn(mutex::lock);
    owner.await();

    BrokenException told = assertThrows(BrokenException.class, waiter::await);
    assertTrue(told.getMessage().contains("careless"), told::getMessage);
    assertThrows(BrokenException.class, mutex::lock);
    assertThrows(BrokenException.class, mutex::tryLock);
    assertTrue(mutex.isLocked());
    assertFalse(mutex.isOwned());
  }

  @InLoop
  @Test
  void aRepairedMutexIsFreeAndOneThatIsNotBrokenStays() throws Exception {
    for (Mutex mutex : List.of(new Mutex(), Mutex.of("key"))) {
      assertFalse(mutex.repair());
      Coroutine.spawn(mutex::lock).await();
      assertThrows(BrokenException.class, mutex::lock);

      assertTrue(mutex.repair());
      assertFalse(mutex.isLocked());
      mutex.lock();
      assertFalse(mutex.repair());
      assertTrue(mutex.isOwned());
      mutex.unlock();
    }
  }

  @InLoop
  @Test
  void anOwnerThatIsCancelledInATryUnlocksIt() throws Exception {
    Mutex mutex = new Mutex();
    Coroutine<?> owner =
        Coroutine.spawn(
            () -> {
              try (Hold held = mutex.hold()) {
                log.add(held.toString());
                Coroutine.halt();
              }
            });
    Coroutine<?> waiter = Coroutine.spawn(() -> visit(mutex, "waiter"));
    Coroutine.pause();

    owner.cancel();
    waiter.await();

    assertEquals(List.of("a mutex", "waiter in", "waiter out"), log);
  }

  @InLoop
  @Test
  void anEndHandlerMayStillUnlockIt() throws Exception {
    Mutex mutex = new Mutex();
    Coroutine<?> owner =
        Coroutine.spawn(() -> mutex.lock()).onEnd((value, error) -> mutex.unlock());
    owner.await();

    assertTrue(mutex.tryLock());
    mutex.unlock();
  }

  @InLoop
  @Test
  void oneOfManyWaitersThatIsCancelledLeavesTheOthersInTheirOrder() throws Exception {
    Mutex mutex = new Mutex();
    mutex.lock();
    List<Coroutine<?>> visitors = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      String who = "v" + i;
      visitors.add(
          Coroutine.spawn(
              () -> {
                try (Hold _ = mutex.hold()) {
                  log.add(who);
                }
              }));
    }
    Coroutine.pause();

    visitors.get(2).cancel();
    mutex.unlock();
    assertThrows(CancellationException.class, visitors.get(2)::await);
    visitors.get(4).await();

    assertEquals(List.of("v0", "v1", "v3", "v4"), log);
  }

  @InLoop
  @Test
  void oneThatWasHandedTheLockAndIsResumedPassesItToTheOldestOther() throws Exception {
    Mutex mutex = new Mutex();
    mutex.lock();
    Coroutine<?> impatient =
        Coroutine.spawn(
            () -> {
              Resumed resumed = assertThrows(Resumed.class, mutex::lock);
              log.addAll(resumed.values());
              assertFalse(mutex.isOwned());
            });
    Coroutine<?> next = Coroutine.spawn(() -> visit(mutex, "next"));
    Coroutine.pause();

    mutex.unlock();
    impatient.resume("gone");
    next.await();

    assertEquals(List.of("gone", "next in", "next out"), log);
  }

  @InLoop
  @Test
  void oneThatWasHandedTheLockAndIsCancelledHasItAllTheSame() throws Exception {
    Mutex mutex = new Mutex();
    mutex.lock();
    Coroutine<?> late =
        Coroutine.spawn(
            () -> {
              try (Hold held = mutex.hold()) {
                log.add(held + " is mine");
                Coroutine.pause();
              }
            });
    Coroutine.pause();

    mutex.unlock();
    late.cancel();
    assertThrows(CancellationException.class, late::await);

    assertEquals(List.of("a mutex is mine"), log);
    assertTrue(mutex.tryLock());
    mutex.unlock();
  }

  @InLoop
  @Test
  void otherLoopsAndThreadsAreRefused() throws Exception {
    Mutex mutex = new Mutex();
    mutex.lock();

    Loop.offload(
        () -> {
          assertThrows(IllegalStateException.class, mutex::lock);
          assertThrows(IllegalStateException.class, mutex::unlock);
          assertThrows(IllegalStateException.class, mutex::isLocked);
          Loop.run(
              () -> {
                assertThrows(IllegalStateException.class, mutex::lock);
                assertThrows(IllegalStateException.class, mutex::tryLock);
                assertThrows(IllegalStateException.class, mutex::unlock);
              });
          return null;
        });

    assertTrue(mutex.isOwned());
    mutex.unlock();
  }

  @Test
  void oneMadeOutsideBelongsToTheLoopThatUsesItUntilThatIsClosed() throws Exception {
    Mutex mutex = new Mutex();
    for (int i = 0; i < 2; i++) {
      Loop.run(
          () -> {
            mutex.lock();
            ExecutionException refused =
                assertThrows(
                    ExecutionException.class, () -> Loop.offload(() -> elsewhere(mutex).get()));
            assertEquals(IllegalStateException.class, refused.getCause().getClass());
            mutex.unlock();
          });
    }
  }

  private static CompletableFuture<Boolean> elsewhere(Mutex mutex) {
    CompletableFuture<Boolean> outcome = new CompletableFuture<>();
    try {
      outcome.complete(Loop.run(mutex::tryLock));
    } catch (Throwable thrown) {
      outcome.completeExceptionally(thrown);
    }
    return outcome;
  }
}
