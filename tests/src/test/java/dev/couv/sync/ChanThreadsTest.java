// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Patience;
import dev.couv.coro.Await;
import dev.couv.coro.Awaitable;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.error.ClosedException;
import dev.couv.loop.CallCount;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/// Channels between loops and plain threads.
class ChanThreadsTest {
  private final List<Object> log = Collections.synchronizedList(new ArrayList<>());

  // ---- plain threads

  @Test
  void plainThreadsBlockUntilTheyMeet() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    try (Loops all = new Loops()) {
      all.thread(
          () -> {
            for (int i = 0; i < 1000; i++) {
              chan.send(i);
            }
            chan.close();
          });
      chan.forEach(log::add);
    }

    assertEquals(1000, log.size());
    assertEquals(999, log.getLast());
  }

  @Test
  void anInterruptEndsTheWaitOfAPlainThread() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    try (Loops all = new Loops()) {
      Thread blocked =
          all.thread(
              () -> {
                assertThrows(CancellationException.class, chan::receive);
                assertTrue(Thread.currentThread().isInterrupted());
                assertThrows(CancellationException.class, () -> chan.send(1));
              });
      Patience.until(() -> chan.stats().receivers() == 1);
      blocked.interrupt();
    }

    assertEquals(new ChanStats(0, 0, 0, 0, false), chan.stats());
  }

  @Test
  void aPlainThreadIsWokenByTheClose() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    try (Loops all = new Loops()) {
      all.thread(() -> assertThrows(ClosedException.class, chan::receive));
      Patience.until(() -> chan.stats().receivers() == 1);
      chan.close();
    }
  }

  @Test
  void aCoroutineAndAPlainThreadTalk() throws Exception {
    Chan<Integer> there = Chan.create(0);
    Chan<Integer> back = Chan.create(0);
    try (Loops all = new Loops()) {
      all.thread(
          () -> {
            for (int value : there) {
              back.send(value + 1);
            }
            back.close();
          });
      all.loop(
          () -> {
            for (int i = 0; i < 500; i++) {
              there.send(i);
              assertEquals(i + 1, back.receive());
            }
            there.close();
            assertThrows(ClosedException.class, back::receive);
          });
    }
  }

  @InLoop
  @Test
  void aVirtualThreadIsAPlainThread() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Thread.ofVirtual().start(() -> chan.send(1));
    assertEquals(1, chan.receive());
  }

  // ---- two loops

  @Test
  void coroutinesOfTwoLoopsTakeTurns() throws Exception {
    Chan<Integer> there = Chan.create(0);
    Chan<Integer> back = Chan.create(0);
    try (Loops all = new Loops()) {
      all.loop(
          () -> {
            for (int i = 0; i < 500; i++) {
              there.send(i);
              log.add(back.receive());
            }
            there.close();
          });
      all.loop(() -> there.forEach(back::send));
    }

    assertEquals(500, log.size());
    assertEquals(499, log.getLast());
  }

  @Test
  void theOrderOfOneSenderIsKept() throws Exception {
    Chan<Integer> chan = Chan.create(7);
    try (Loops all = new Loops()) {
      for (int loop = 0; loop < 3; loop++) {
        int base = loop * 1_000_000;
        all.loop(
            () -> {
              for (int i = 0; i < 2000; i++) {
                chan.send(base + i);
              }
            });
      }
      all.loop(
          () -> {
            int[] last = {-1, -1, -1};
            for (int i = 0; i < 6000; i++) {
              int value = chan.receive();
              int from = value / 1_000_000;
              assertEquals(last[from] + 1, value % 1_000_000);
              last[from]++;
            }
          });
    }
  }

  @Test
  void aCancelThatComesAfterAMatchOnAnotherThreadIsTooLate() throws Exception {
    Chan<Integer> chan = Chan.create(ChanOptions.of(0).withShared(true));
    Loop.run(
        () -> {
          Coroutine<?> receiver =
              Coroutine.spawn(
                  () -> {
                    log.add(chan.receive());
                    assertThrows(Cancelled.class, Coroutine::pause);
                  });
          Coroutine<?> sender =
              Coroutine.spawn(
                  () -> {
                    Coroutine.pause();
                    meanwhile(() -> chan.send(1)); // its post is not served before this one waits
                    assertEquals(Status.SUSPENDED, receiver.status());
                    assertTrue(receiver.cancel());
                    assertEquals(Status.SUSPENDED, receiver.status());
                  });
          sender.await();
          receiver.await();
        });

    assertEquals(List.of(1), log);
  }

  @InLoop
  @Test
  void aResumeThatComesAfterAMatchOnAnotherThreadHandsTheValueOn() throws Exception {
    Chan<Integer> chan = Chan.create(ChanOptions.of(0).withShared(true));
    Coroutine<?> receiver = Coroutine.spawn(() -> assertThrows(Resumed.class, chan::receive));
    Coroutine.pause();
    meanwhile(() -> chan.send(1));

    receiver.resume();

    assertEquals(1, chan.receive());
    receiver.await();
  }

  @Test
  void aCancelledSendThatWasMatchedOnAnotherThreadSucceeds() throws Exception {
    Chan<Integer> chan = Chan.create(ChanOptions.of(0).withShared(true));
    Loop.run(
        () -> {
          Coroutine<?> sender = Coroutine.spawn(() -> chan.send(1));
          Coroutine.pause();
          meanwhile(() -> log.add(chan.receive()));

          sender.cancel();

          sender.await();
        });

    assertEquals(List.of(1), log);
  }

  @Test
  void aSelectIsWonFromAnotherThreadOnceAndCancelledTooLate() throws Exception {
    Chan<Integer> one = Chan.create(ChanOptions.of(0).withShared(true));
    Chan<Integer> other = Chan.create(ChanOptions.of(0).withShared(true));
    Loop.run(
        () -> {
          Coroutine<?> selecting =
              Coroutine.spawn(
                  () -> {
                    Awaitable<Void> giving = one.sending(1);
                    assertEquals(giving, Await.select(giving, other.receiving()).source());
                    log.add("given");
                  });
          Coroutine.pause();
          meanwhile(() -> log.add(one.receive()));
          assertEquals(false, other.trySend(2));

          selecting.cancel();

          selecting.await();
        });

    assertEquals(List.of(1, "given"), log);
  }

  @InLoop
  @Test
  void aSelectThatIsResumedAfterItWasWonFromAnotherThreadHandsTheValueOn() throws Exception {
    Chan<Integer> chan = Chan.create(ChanOptions.of(0).withShared(true));
    Coroutine<?> selecting =
        Coroutine.spawn(
            () ->
                assertThrows(
                    Resumed.class,
                    () -> Await.select(chan.receiving(), Chan.create(0).receiving())));
    Coroutine.pause();
    meanwhile(() -> chan.send(1));

    selecting.resume();

    assertEquals(1, chan.receive());
  }

  @Test
  void twoSelectsThatMeetFromTwoLoopsAgree() throws Exception {
    Chan<Integer> a = Chan.create(0);
    Chan<Integer> b = Chan.create(0);
    int rounds = 2000;
    try (Loops all = new Loops()) {
      all.loop(
          () -> {
            for (int i = 0; i < rounds; i++) {
              Awaitable<Void> first = a.sending(i);
              var given = Await.select(first, b.sending(-i - 1));
              log.add(given.source() == first ? i : -i - 1);
            }
          });
      List<Object> received = new ArrayList<>();
      all.loop(
          () -> {
            for (int i = 0; i < rounds; i++) {
              received.add(Await.select(b.receiving(), a.receiving()).value());
            }
          });
      all.join();
      assertEquals(log, received);
    }
  }

  /// The loop must not take itself for idle between the match and the delivery.
  @Test
  void aLoopThatOnlyWaitsInASelectHearsOfItsEnd() throws Exception {
    for (int round = 0; round < 150; round++) {
      Chan<Integer> chan = Chan.create(0);
      Thread sender = Thread.ofPlatform().start(() -> chan.send(1));
      Loop.run(() -> assertEquals(1, Await.any(List.of(chan.receiving()))));
      sender.join();
    }
  }

  @Test
  void oneEndIsSelectedByCoroutinesOfSeveralLoops() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Awaitable<Integer> end = chan.receiving();
    LongAdder sum = new LongAdder();
    List<Thread> loops = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      loops.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      Loop.run(
                          () -> {
                            for (int k = 0; k < 10; k++) {
                              Coroutine.spawn(() -> sumUp(end, sum));
                            }
                          });
                    } catch (Exception failed) {
                      throw new AssertionError(failed);
                    }
                  }));
    }
    for (int i = 0; i < 3000; i++) {
      chan.send(i);
    }
    chan.close();
    for (Thread loop : loops) {
      loop.join();
    }
    assertEquals(2999 * 1500, sum.sum());
    assertEquals(0, chan.stats().receivers());
  }

  private static void sumUp(Awaitable<Integer> end, LongAdder sum) throws Exception {
    Chan<Integer> silent = Chan.create(0);
    try {
      while (true) {
        sum.add(Await.any(end, silent.receiving()));
      }
    } catch (ClosedException over) {
      assertEquals(0, silent.stats().receivers());
    }
  }

  /// The count of writes to the loop's eventfd: one, however many are matched while it is busy.
  @Test
  void valuesForManyCoroutinesOfABusyLoopRingItOnce() {
    int count = 1000;
    Chan<Integer> chan = Chan.create(0);
    AtomicBoolean waiting = new AtomicBoolean();
    AtomicBoolean sent = new AtomicBoolean();
    AtomicInteger sum = new AtomicInteger();
    try (Loops all = new Loops();
        CallCount rings = new CallCount("eventfd_write")) {
      all.loop(
          () -> {
            for (int i = 0; i < count; i++) {
              Coroutine.spawn(() -> sum.addAndGet(chan.receive()));
            }
            Coroutine.pause();
            int before = rings.get();
            waiting.set(true);
            Patience.until(sent::get);
            assertEquals(before + 1, rings.get());
          });
      all.thread(
          () -> {
            Patience.until(waiting::get);
            for (int i = 0; i < count; i++) {
              chan.send(1);
            }
            sent.set(true);
          });
      all.join();
    }
    assertEquals(count, sum.get());
  }

  @Test
  void aTimeoutEndsAWaitForAnotherThread() throws Exception {
    Chan<Integer> chan = Chan.create(ChanOptions.of(0).withShared(true));
    Loop.run(
        () ->
            assertThrows(
                TimeoutException.class, () -> Time.timeout(Duration.ofMillis(1), chan::receive)));
    assertEquals(0, chan.stats().receivers());
  }

  @Test
  void aLoopThatEndsTakesItsWaitersAway() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Exception failure = new Exception("on purpose");
    Exception thrown =
        assertThrows(
            Exception.class,
            () ->
                Loop.run(
                    () -> {
                      Coroutine.spawn(chan::receive);
                      Coroutine.spawn(() -> chan.send(1));
                      Coroutine.spawn(() -> Await.select(chan.receiving(), chan.sending(2)));
                      Coroutine.pause();
                      throw failure;
                    }));

    assertInstanceOf(Exception.class, thrown);
    assertEquals(new ChanStats(0, 0, 0, 0, false), chan.stats());
  }

  /// Runs it on another thread, and blocks the whole loop until it has ended.
  private static void meanwhile(Runnable task) {
    Thread thread = Thread.ofPlatform().start(task);
    Patience.until(() -> thread.getState() == Thread.State.TERMINATED);
  }
}
