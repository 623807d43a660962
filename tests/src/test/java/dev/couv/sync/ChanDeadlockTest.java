// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Deadlock;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.coro.Mode;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A wait at a channel is a deadlock when nobody is left who could come, and only then.
class ChanDeadlockTest {
  private final Impatience impatience = new Impatience(150);

  @AfterEach
  void bePatientAgain() {
    impatience.close();
  }

  @Test
  @Behaviour("TA74")
  void aWaitAtAChannelThatNobodyElseKnowsIsADeadlock() {
    Deadlock deadlock =
        assertThrows(Deadlock.class, () -> Loop.run(() -> Chan.<Integer>create(0).receive()));

    assertTrue(deadlock.getMessage().contains("a value from a channel"), deadlock::getMessage);
  }

  @Test
  void soIsASendAndASelect() {
    assertThrows(
        Deadlock.class,
        () ->
            Loop.run(
                () -> {
                  Chan<Integer> chan = Chan.create(0);
                  Chan<Integer> other = Chan.create(0);
                  Coroutine.spawn(() -> chan.send(1));
                  Coroutine.spawn(() -> Await.select(other.receiving(), other.sending(2)));
                }));
  }

  @Test
  void soIsThatOfSeveralLoopsAtOnce() throws Exception {
    try (Loops all = new Loops()) {
      for (int i = 0; i < 3; i++) {
        all.thread(
            () ->
                assertThrows(
                    Deadlock.class, () -> Loop.run(() -> Chan.<Integer>create(0).receive())));
      }
    }
  }

  @InLoop
  @Test
  void aDeadlineIsNotWaitedForInVain() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine.spawn(
        () -> {
          Time.sleep(Duration.ofMillis(300));
          chan.send(1);
        });
    assertEquals(1, chan.receive());
  }

  @InLoop
  @Test
  void aThreadThatComesLaterIsWaitedFor() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    CountDownLatch never = new CountDownLatch(1);
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                never.await(500, TimeUnit.MILLISECONDS);
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              chan.send(1);
            });
    assertEquals(1, chan.receive());
  }

  @InLoop
  @Test
  void aThreadThatIsAboutToRunALoopIsWaitedFor() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Thread.ofPlatform()
        .name("couv-pool-0-1")
        .daemon()
        .start(
            () -> {
              try {
                Thread.sleep(400); // a slow machine
                Loop.run(() -> chan.send(1));
              } catch (Exception failed) {
                throw new AssertionError(failed);
              }
            });
    assertEquals(1, chan.receive());
  }

  /// The look takes some time: somebody comes and has gone again before it gets to him.
  @Test
  void whoComesAndGoesWhileTheLoopLooksIsSeen() throws Exception {
    System.setProperty("couv.deadlock.patience", "0");
    for (int round = 0; round < 300; round++) {
      AtomicBoolean looks = new AtomicBoolean();
      AtomicReference<Chan<Integer>> made = new AtomicReference<>();
      long nanos = round % 100 * 1_000L;
      try (Loops all = new Loops()) {
        all.loop(
            () -> {
              spinUntil(looks::get);
              long since = System.nanoTime();
              spinUntil(() -> System.nanoTime() - since >= nanos);
              made.get().send(1);
            });
        all.loop(
            () -> {
              made.set(Chan.create(0));
              looks.set(true);
              assertEquals(1, made.get().receive());
            });
      }
    }
  }

  /// A loop that is open and has nothing to do is none that may come.
  @Test
  void aThreadWithAnEmptyLoopIsNotWaitedFor() throws Exception {
    CountDownLatch isOpen = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    try (Loops all = new Loops()) {
      all.thread(
          () -> {
            try (Loop empty = Loop.open()) {
              empty.run(Mode.LOOP);
              isOpen.countDown();
              over.await();
            }
          });
      all.thread(
          () -> {
            isOpen.await();
            assertThrows(
                Deadlock.class,
                () ->
                    Loop.run(
                        LoopOptions.DEFAULT.withStrictDeadlocks(true),
                        () -> {
                          Chan.<Integer>create(0).receive();
                        }));
            over.countDown();
          });
    }
  }

  private static void spinUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aCoroutineOfAnotherLoopIsWaitedFor() throws Exception {
    try (Loops all = new Loops()) {
      Chan<Chan<Integer>> introduction = Chan.create(0);
      all.loop(
          () -> {
            Chan<Integer> chan = introduction.receive();
            Time.sleep(Duration.ofMillis(500));
            chan.send(1);
          });
      all.loop(
          () -> {
            Chan<Integer> chan = Chan.create(0);
            introduction.send(chan);
            assertEquals(1, chan.receive());
          });
    }
  }

  @InLoop
  @Test
  void whatIsMadeToBeSharedIsWaitedForWhateverHappens() throws Exception {
    Chan<Integer> chan = Chan.create(ChanOptions.of(0).withShared(true));
    Thread.ofVirtual().start(() -> sendAfter(chan, 500));
    assertEquals(1, chan.receive());
  }

  @InLoop
  @Test
  void whatAnotherHasUsedOnceIsShared() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Thread.ofVirtual()
        .start(
            () -> {
              chan.send(0);
              sendAfter(chan, 500);
            });
    Integer first;
    while ((first = chan.tryReceive()) == null) {
      Coroutine.pause(); // without a wait, as the other may be slow to come
    }
    assertEquals(0, first);
    assertEquals(1, chan.receive());
  }

  @InLoop
  @Test
  void thoseWhoWaitAlreadyWhenAnotherComesAreWaitedForToo() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    CountDownLatch come = new CountDownLatch(1);
    Thread.ofVirtual()
        .start(
            () -> {
              while (chan.stats().receivers() < 2) {
                sleep(1); // it may be carried by the loop's thread, or the only one there is
              }
              chan.send(0);
              come.countDown();
              sendAfter(chan, 500);
            });
    // Until then the loop has something else to wait for, as the other may be slow to come.
    Coroutine.spawn(() -> Loop.offload(() -> come.await(60, TimeUnit.SECONDS)));
    Coroutine<Integer> first = Coroutine.spawn(chan::receive);
    Coroutine.pause();
    assertEquals(1, chan.receive());
    assertEquals(0, first.await());
  }

  private static void sendAfter(Chan<Integer> chan, int millis) {
    sleep(millis); // longer than the loop has patience
    chan.send(1);
  }

  private static void sleep(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Whoever is told of a wait may end it, before it has begun for the others of the select.
  @Test
  void aWaitThatEndsWhenItIsToldOfIsNotCountedAnyMore() {
    AtomicReference<Chan<Integer>> shared = new AtomicReference<>();
    ChanOptions options = ChanOptions.of(0).withShared(true);
    assertThrows(
        Deadlock.class,
        () ->
            Loop.run(
                () -> {
                  shared.set(Chan.create(options.withOnWait(() -> shared.get().trySend(7))));
                  Chan<Integer> silent = Chan.create(0);
                  assertEquals(7, Await.any(shared.get().receiving(), silent.receiving()));
                  silent.receive();
                }));
  }
}
