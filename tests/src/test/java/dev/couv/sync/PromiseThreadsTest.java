// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Deadlock;
import dev.couv.coro.Loop;
import dev.couv.coro.Status;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Promises that are completed on one thread and awaited on another.
class PromiseThreadsTest {
  @InLoop
  @Test
  void aPlainThreadCompletesWhatACoroutineAwaits() throws Exception {
    Promise<Thread> promise = new Promise<>();
    CountDownLatch waiting = new CountDownLatch(1);
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  awaitLatch(waiting);
                  promise.complete(Thread.currentThread());
                });
    Coroutine.spawn(waiting::countDown);

    assertSame(thread, promise.await());
  }

  @InLoop
  @Test
  void oneThatIsFailedElsewhereThrowsHere() throws Exception {
    Promise<Integer> promise = new Promise<>();
    Thread.startVirtualThread(() -> promise.fail(new IOException("elsewhere")));

    assertThrows(IOException.class, promise::await);
  }

  @Test
  void plainThreadsBlockUntilItIsDone() throws Exception {
    Promise<Integer> promise = new Promise<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      var first = threads.submit(promise::await);
      var second = threads.submit(promise::await);

      Loop.run(() -> promise.complete(7));

      assertEquals(7, first.get());
      assertEquals(7, second.get());
      assertEquals(7, promise.await());
    }
  }

  @Test
  void aPlainThreadThatIsInterruptedLeaves() throws Exception {
    Promise<Integer> promise = new Promise<>();
    Thread.currentThread().interrupt();

    assertThrows(InterruptedException.class, promise::await);

    promise.complete(1);
    assertEquals(1, promise.await());
  }

  @Test
  void coroutinesOfSeveralLoopsAwaitTheSame() throws Exception {
    Promise<Integer> promise = new Promise<>();
    Promise<Integer> sum = new Promise<>();
    AtomicInteger waiting = new AtomicInteger(3);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<java.util.concurrent.Future<Integer>> loops = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        loops.add(
            threads.submit(
                () ->
                    Loop.run(
                        () -> {
                          if (waiting.decrementAndGet() == 0) {
                            sum.complete(0);
                          }
                          return promise.await();
                        })));
      }
      Loop.run(
          () -> {
            sum.await();
            promise.complete(5);
          });

      for (var loop : loops) {
        assertEquals(5, loop.get());
      }
    }
  }

  @Test
  void ofManyThreadsThatCompleteItOneWins() throws Exception {
    for (int round = 0; round < 200; round++) {
      Promise<Integer> promise = new Promise<>();
      AtomicInteger winners = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int number = i;
        threads.add(
            Thread.startVirtualThread(
                () -> {
                  if (promise.complete(number)) {
                    winners.addAndGet(10 + number);
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }

      assertEquals(10 + promise.await(), winners.get());
    }
  }

  /// Completed while it is enlisted, polled, withdrawn: nothing is lost, nothing told twice.
  @InLoop
  @Test
  void completionsThatRaceWithWaitsAreNeverLost() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
      for (int round = 0; round < 2_000; round++) {
        Promise<Integer> first = new Promise<>();
        Promise<Integer> second = new Promise<>();
        threads.execute(
            () -> {
              second.complete(2);
              first.complete(1);
            });

        int won = Await.any(first, second);

        assertTrue(won == 1 || won == 2);
        assertEquals(List.of(1, 2), Promise.awaitAll(first, second));
      }
    }
  }

  @InLoop
  @Test
  void aCancelThatRacesWithACompletionEndsTheWaitOnce() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
      for (int round = 0; round < 1_000; round++) {
        Promise<Integer> promise = new Promise<>();
        AtomicInteger told = new AtomicInteger();
        Coroutine<?> waiter =
            Coroutine.spawn(
                () -> {
                  told.addAndGet(promise.await());
                });
        Coroutine.pause();
        threads.execute(() -> promise.complete(1));
        if (round % 2 == 0) {
          Coroutine.pause();
        }
        waiter.cancel();

        Await.settle(waiter);
        promise.await();
        assertTrue(told.get() <= 1);
        assertEquals(told.get() == 1 ? Status.DONE : Status.CANCELLED, waiter.status());
      }
    }
  }

  @Test
  void oneThatNobodyCanCompleteIsADeadlock() {
    Deadlock deadlock;
    try (Impatience _ = new Impatience(150)) {
      deadlock = assertThrows(Deadlock.class, () -> Loop.run(() -> new Promise<Integer>().await()));
    }

    assertTrue(deadlock.getMessage().contains("a promise"), deadlock::getMessage);
  }

  @InLoop
  @Test
  void whatIsMappedInALoopRunsThereWhoeverCompletesIt() throws Exception {
    Loop here = Loop.current();
    Promise<Integer> promise = new Promise<>();
    Promise<Boolean> derived = promise.map(n -> Loop.current() == here);
    Thread.startVirtualThread(() -> promise.complete(1));

    assertTrue(derived.await());
  }

  @Test
  void whatIsMappedByAPlainThreadRunsWhereItIsCompleted() throws Exception {
    Promise<Integer> promise = new Promise<>();
    Promise<Thread> derived = promise.map(n -> Thread.currentThread());
    Thread completer = Thread.ofPlatform().start(() -> promise.complete(1));

    assertSame(completer, derived.await());
  }

  @Test
  void whatWasToRunInALoopThatIsClosedIsRefused() throws Exception {
    Promise<Integer> promise = new Promise<>();
    Promise<Integer> derived = Loop.run(() -> promise.map(n -> n + 1));
    assertFalse(derived.isDone());

    promise.complete(1);

    assertThrows(dev.couv.error.ClosedException.class, derived::await);
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aChainMayBeOfAnyLength() throws Exception {
    for (boolean broken : List.of(false, true)) {
      Promise<Integer> first = new Promise<>();
      Promise<Integer> last = first;
      for (int i = 0; i < 100_000; i++) {
        last = last.map(value -> value + 1).recover(thrown -> throwing(thrown));
      }
      if (broken) {
        first.fail(new IllegalArgumentException("no number"));
        assertThrows(IllegalArgumentException.class, last::await);
      } else {
        first.complete(0);
        assertEquals(100_000, last.await());
      }
    }
  }

  private static Integer throwing(Throwable thrown) throws Exception {
    throw (Exception) thrown;
  }

  @Test
  void whatIsDerivedIsToldBeforeItsSourcesNext() throws Exception {
    List<String> log = new ArrayList<>();
    Promise<String> source = new Promise<>();
    Promise<String> other = new Promise<>();
    other.onEnd((value, thrown) -> log.add("other"));
    Promise<String> derived =
        source.map(
            value -> {
              other.complete(value);
              log.add("first");
              return value;
            });
    derived.onEnd((value, thrown) -> log.add("derived from first"));
    derived.onEnd((value, thrown) -> log.add("derived from first, too"));
    source.onEnd((value, thrown) -> log.add("second"));

    source.complete("value");

    assertEquals(
        List.of("other", "first", "derived from first", "derived from first, too", "second"), log);
  }
}
