// SPDX-License-Identifier: Apache-2.0
package dev.couv.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Resumed;
import dev.couv.coro.Scope;
import dev.couv.coro.Status;
import dev.couv.host.Inside;
import dev.couv.stream.Coroutines;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `USR1` comes through libuv, `TERM` through the VM. Most tests send a signal only while it is caught:
/// else it would end the test's JVM. One coroutine holds it caught where that is not certain.
final class SignalAwaitTest {
  private static final long ME = ProcessHandle.current().pid();
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  @Test
  @Behaviour("SG01")
  void outsideOfACoroutineItIsRefusedWhateverTheSignal() {
    var refused = assertThrows(IllegalStateException.class, () -> Signal.await(Signal.USR1));
    assertThrows(IllegalStateException.class, () -> Signal.await(Signal.KILL));
    assertThrows(IllegalStateException.class, () -> Signal.await());
    assertTrue(refused.getMessage().contains("Signal.await"), refused.getMessage());
  }

  @InLoop
  @ParameterizedTest
  @EnumSource(names = {"USR1", "TERM", "INT", "HUP", "WINCH", "ALRM", "ABRT", "TRAP", "SIG34"})
  @Behaviour({"SG03", "SG04"})
  void anAwaitedSignalArrivesByItsName(Signal signal) throws Exception {
    Coroutine<Signal> waiting = Coroutine.spawn(() -> Signal.await(signal));
    Coroutine.pause();

    Signal.send(ME, signal);

    assertEquals(signal, waiting.await());

    // That the run has ended shows that nothing is awaited any more.
  }

  @InLoop
  @Test
  void theFirstOfSeveralArrives() throws Exception {
    Coroutine<Signal> waiting =
        Coroutine.spawn(() -> Signal.await(Signal.TERM, Signal.USR1, Signal.USR1));
    Coroutine.pause();

    Signal.send(ME, Signal.USR1);

    assertEquals(Signal.USR1, waiting.await());
  }

  @InLoop
  @Test
  void everyCoroutineThatAwaitsItIsTold() throws Exception {
    Coroutine<Signal> first = Coroutine.spawn(() -> Signal.await(Signal.TERM));
    Coroutine<Signal> second = Coroutine.spawn(() -> Signal.await(Signal.TERM, Signal.INT));
    Coroutine.pause();

    Signal.send(ME, Signal.TERM);

    assertEquals(Signal.TERM, first.await());
    assertEquals(Signal.TERM, second.await());
  }

  @InLoop
  @ParameterizedTest
  @EnumSource(names = {"USR1", "TERM"})
  @Behaviour({"SG05", "OP02"})
  void theSameSignalAwaitedTwiceArrivesTwice(Signal signal) throws Exception {
    Coroutine<Void> waiting =
        Coroutine.spawn(
            () -> {
              log.add(Signal.await(signal));
              log.add(Signal.await(signal));
            });
    Coroutine.pause();

    for (int i = 1; i <= 2; i++) {
      Signal.send(ME, signal);
      while (log.size() < i) {
        Time.sleep(Duration.ofMillis(1));
      }
    }

    waiting.await();
    assertEquals(List.of(signal, signal), log);
  }

  @InLoop
  @ParameterizedTest
  @EnumSource(names = {"USR1", "TERM"})
  void aSignalBetweenTwoEqualAwaitsIsNotLost(Signal signal) throws Exception {
    try (SignalWatch seen = Signal.watch(signal)) {
      Coroutine<Void> waiting =
          Coroutine.spawn(
              () -> {
                log.add(Signal.await(signal));
                Coroutine.pause(); // waits for nothing else
                log.add(Signal.await(signal));
              });
      Coroutine.pause();
      Signal.send(ME, signal);
      seen.await();
      Coroutines.pauseUntilReady(waiting);
      Signal.send(ME, signal);
      seen.await();

      waiting.await();
      assertEquals(List.of(signal, signal), log);
    }
  }

  @InLoop
  @Test
  void whatWasAwaitedStopsWhenTheCoroutineAwaitsSomethingElse() throws Exception {
    boolean before = Inside.isDefault(Signal.USR1);
    Coroutine<Signal> once =
        Coroutine.spawn(
            () -> {
              Signal got = Signal.await(Signal.USR1);
              Time.sleep(Duration.ofMillis(1));
              assertTrue(Inside.isDefault(Signal.USR1));
              return got;
            });
    Coroutine.pause();
    assertFalse(Inside.isDefault(Signal.USR1));
    Signal.send(ME, Signal.USR1);

    assertEquals(Signal.USR1, once.await());
    assertTrue(before && Inside.isDefault(Signal.USR1));
  }

  @Test
  @Behaviour({"SG07", "OP06"})
  void aResumedWaitHasTheValuesAndLeavesNothing() {
    try (Loop loop = Loop.open()) {
      Coroutine<Void> waiting =
          loop.spawn(
              () -> {
                log.addAll(assertThrows(Resumed.class, () -> Signal.await(Signal.USR1)).values());
              });
      assertTrue(loop.run(Mode.READY));

      loop.spawn(() -> waiting.resume("a", 1));

      assertFalse(loop.run(Mode.LOOP));
      assertEquals(List.of("a", 1), log);
      assertTrue(Inside.isDefault(Signal.USR1));
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource(names = {"USR1", "TERM"})
  @Behaviour("SG08")
  void aSignalAwaitedAgainAfterAResumeArrives(Signal signal) throws Exception {
    Coroutine<Signal> waiting =
        Coroutine.spawn(
            () -> {
              assertThrows(Resumed.class, () -> Signal.await(signal));
              return Signal.await(signal);
            });
    Coroutine.pause();
    waiting.resume();
    Time.sleep(Duration.ofMillis(1));
    Time.sleep(Duration.ofMillis(1));

    Signal.send(ME, signal);

    assertEquals(signal, waiting.await());
  }

  @InLoop
  @Test
  @Behaviour({"SG09", "OP11"})
  void aWaitCanBeResumedAwayTwice() throws Exception {
    Coroutine<Void> waiting =
        Coroutine.spawn(
            () -> {
              for (Signal signal : List.of(Signal.USR1, Signal.TERM)) {
                Resumed resumed = assertThrows(Resumed.class, () -> Signal.await(signal));
                log.addAll(resumed.values());
              }
            });
    Coroutine.pause();
    waiting.resume(1);
    waiting.resume(2);
    waiting.await();

    assertEquals(List.of(1, 2), log);
  }

  @InLoop
  @ParameterizedTest
  @EnumSource(names = {"USR1", "TERM"})
  @Behaviour("OP10")
  void aSignalThatHasComeStaysForTheNextAwaitOfAResumedCoroutine(Signal signal) throws Exception {
    Coroutine<Signal> waiting =
        Coroutine.spawn(
            () -> {
              assertThrows(Resumed.class, () -> Signal.await(signal));
              return Signal.await(signal);
            });
    Coroutine.pause();
    Signal.send(ME, signal);
    Coroutines.pauseUntilReady(waiting);

    waiting.resume();

    assertEquals(signal, waiting.await());
  }

  @InLoop
  @ParameterizedTest
  @EnumSource(names = {"USR1", "TERM"})
  void aSignalBetweenAWaitThatWasLeftAndTheSameAgainIsNotLost(Signal signal) throws Exception {
    assertThrows(
        TimeoutException.class,
        () -> Time.timeout(Duration.ofMillis(5), () -> Signal.await(signal)));

    Signal.send(ME, signal);

    assertEquals(signal, Signal.await(signal));
  }

  @Test
  void anotherSignalIsAwaitedInThePlaceOfTheFirst() throws Exception {
    Loop.run(
        () -> {
          Coroutine<Void> waiting =
              Coroutine.spawn(
                  () -> {
                    log.add(Signal.await(Signal.USR1));
                    log.add(Signal.await(Signal.WINCH));
                    log.add(Signal.await(Signal.INT));
                    log.add(Signal.await(Signal.TERM));
                  });
          for (Signal signal : List.of(Signal.USR1, Signal.WINCH, Signal.INT, Signal.TERM)) {
            int before = log.size();
            Loop.awaitIdle();
            Signal.send(ME, signal);
            while (log.size() == before) {
              Time.sleep(Duration.ofMillis(1));
            }
          }

          waiting.await();
          assertEquals(List.of(Signal.USR1, Signal.WINCH, Signal.INT, Signal.TERM), log);
        });
    assertTrue(Inside.isDefault(Signal.USR1) && Inside.isDefault(Signal.WINCH));
  }

  @InLoop
  @Test
  void aCancelledWaitEndsAtOnce() throws Exception {
    Coroutine<Signal> waiting = Coroutine.spawn(() -> Signal.await(Signal.USR1, Signal.TERM));
    Coroutine.pause();

    waiting.cancel();

    assertThrows(CancellationException.class, waiting::await);
    assertEquals(Status.CANCELLED, waiting.status());
    assertTrue(Inside.isDefault(Signal.USR1));
  }

  @InLoop
  @Test
  void aCancelledCoroutineDoesNotStartToWait() throws Exception {
    Coroutine<Signal> waiting = Coroutine.spawn(() -> Signal.await(Signal.USR1));
    waiting.cancel();

    assertThrows(CancellationException.class, waiting::await);
    assertTrue(Inside.isDefault(Signal.USR1));
  }

  @InLoop
  @Test
  void aCancelThatComesAfterTheSignalIsTooLate() throws Exception {
    Coroutine<Signal> waiting =
        Coroutine.spawn(() -> Signal.await(Signal.USR1)).onEnd((got, error) -> log.add(got));
    Coroutine.pause();
    Signal.send(ME, Signal.USR1);
    Coroutines.pauseUntilReady(waiting);

    waiting.cancel();

    assertEquals(Signal.USR1, waiting.await());
  }

  @InLoop
  @Test
  void aTimeoutEndsTheWait() throws Exception {
    assertThrows(
        TimeoutException.class,
        () -> Time.timeout(Duration.ofMillis(5), () -> Signal.await(Signal.HUP)));
  }

  @Test
  @Behaviour("TA109")
  void aWaiterThatIsDroppedDoesNotKeepTheRun() throws Exception {
    Loop.run(
        () -> {
          Coroutine<Signal> fires = Coroutine.spawn(() -> Signal.await(Signal.USR1));
          Coroutine<Signal> dropped = Coroutine.spawn(() -> Signal.await(Signal.WINCH));
          Coroutine.pause();
          Signal.send(ME, Signal.USR1);
          fires.await();

          dropped.cancel();
        });
    assertTrue(Inside.isDefault(Signal.USR1) && Inside.isDefault(Signal.WINCH));
  }

  @Test
  void closingTheLoopPutsTheHandlersBack() {
    Loop loop = Loop.open();
    loop.spawn(() -> Signal.await(Signal.USR1, Signal.TERM));
    loop.spawn(
        () -> {
          Signal.watch(Signal.WINCH);
          Time.sleep(HOUR);
        });
    loop.run(Mode.READY);
    assertFalse(Inside.isDefault(Signal.USR1) || Inside.isDefault(Signal.WINCH));

    loop.close();

    assertTrue(Inside.isDefault(Signal.USR1) && Inside.isDefault(Signal.WINCH));
  }

  /// What it has armed is let go of under a lock that all loops share. Another may have it just then, and a thread that
  /// waits for a lock leaves its carrier.
  @InLoop
  @Test
  void aCoroutineEndsAlsoIfAnotherLoopIsLettingGoOfASignal() throws Exception {
    var waiter =
        Coroutine.spawn(
            () -> {
              Signal heard = Signal.await(Signal.HUP, Signal.TERM);
              Thread ending = Thread.currentThread();
              var held = new CountDownLatch(1);
              Thread.ofPlatform()
                  .daemon()
                  .start(
                      () -> {
                        synchronized (Inside.vmSignals()) {
                          held.countDown();
                          while (ending.getState() != Thread.State.BLOCKED) {
                            Thread.onSpinWait();
                          }
                        }
                      });
              held.await();
              return heard;
            });
    Coroutine.pause();
    Signal.send(ProcessHandle.current().pid(), Signal.TERM);
    assertEquals(Signal.TERM, waiter.await());
  }

  /// The same when it suspends: the loop must not take it for one that nothing can wake.
  @InLoop
  @Test
  @SuppressWarnings("try") // the scope is left by its block
  void aCoroutineSuspendsAlsoIfAnotherLoopIsLettingGoOfASignal() throws Exception {
    try (Scope scope = Scope.open()) {
      Coroutine<Signal> waiter =
          scope.spawn(
              () -> {
                Signal heard = Signal.await(Signal.HUP, Signal.TERM);
                holdTheLock(Thread.currentThread());
                Coroutine.yield();
                return heard;
              });
      Coroutine.pause();
      Signal.send(ProcessHandle.current().pid(), Signal.TERM);
      scope.join();
      waiter.resume();
      assertEquals(Signal.TERM, waiter.await());
    }
  }

  /// Until that thread waits for it, and a while longer.
  private static void holdTheLock(Thread waiter) {
    var held = new CountDownLatch(1);
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              synchronized (Inside.vmSignals()) {
                held.countDown();
                while (waiter.getState() != Thread.State.BLOCKED) {
                  Thread.onSpinWait();
                }
                LockSupport.parkNanos(100_000_000);
              }
            });
    while (held.getCount() > 0) {
      Thread.onSpinWait();
    }
  }
}
