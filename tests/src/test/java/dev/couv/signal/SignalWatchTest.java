// SPDX-License-Identifier: Apache-2.0
package dev.couv.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Deadlock;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.error.ClosedException;
import dev.couv.host.Inside;
import dev.couv.stream.Coroutines;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SignalWatchTest {
  private static final long ME = ProcessHandle.current().pid();

  private final List<Object> log = new ArrayList<>();

  @InLoop
  @ParameterizedTest
  @EnumSource(names = {"USR1", "TERM"})
  void keepsWhatComesWhileNobodyWaits(Signal signal) throws Exception {
    try (SignalWatch watch = Signal.watch(signal);
        SignalWatch seen = Signal.watch(signal)) {
      for (int i = 0; i < 10; i++) {
        Signal.send(ME, signal);
        seen.await(); // the system joins equal signals that have not been delivered
      }

      for (int i = 0; i < 10; i++) {
        assertEquals(signal, watch.await());
      }
    }
  }

  @InLoop
  @Test
  void tellsSignalsInTheirOrder() throws Exception {
    try (SignalWatch watch = Signal.watch(Signal.USR1, Signal.WINCH)) {
      for (Signal signal : List.of(Signal.WINCH, Signal.USR1, Signal.WINCH)) {
        Signal.send(ME, signal);
        assertEquals(signal, watch.await());
      }
    }
  }

  @InLoop
  @Test
  void oneWhoIsResumedInsteadLeavesTheSignalForTheNextAwait() throws Exception {
    try (SignalWatch watch = Signal.watch(Signal.USR1)) {
      Coroutine<Boolean> waiting =
          Coroutine.spawn(() -> log.add(assertThrows(Resumed.class, watch::await)));
      Coroutine.pause();
      Signal.send(ME, Signal.USR1);
      Coroutines.pauseUntilReady(waiting);

      waiting.resume();
      waiting.await();

      assertEquals(Signal.USR1, watch.await());
      assertEquals(1, log.size());
    }
  }

  @InLoop
  @Test
  void aCancelledAwaitTakesNothingAway() throws Exception {
    try (SignalWatch watch = Signal.watch(Signal.USR1)) {
      Coroutine<Signal> waiting = Coroutine.spawn(watch::await);
      Coroutine.pause();
      waiting.cancel();
      Coroutine.pause();

      Signal.send(ME, Signal.USR1);

      assertEquals(Signal.USR1, watch.await());
    }
  }

  @InLoop
  @Test
  void everyWaiterIsToldAndEveryCallback() throws Exception {
    try (SignalWatch watch = Signal.watch(Signal.USR1)) {
      watch.subscribe((signal, error) -> log.add("callback " + signal));
      Coroutine<Signal> first = Coroutine.spawn(watch::await);
      Coroutine<Signal> second = Coroutine.spawn(watch::await);
      Coroutine.pause();

      Signal.send(ME, Signal.USR1);

      assertEquals(Signal.USR1, first.await());
      assertEquals(Signal.USR1, second.await());
      Coroutine.pause();
      assertEquals(List.of("callback USR1"), log);
    }
  }

  @InLoop
  @Test
  void closingWakesWhoeverAwaitsItAndPutsTheHandlerBack() throws Exception {
    SignalWatch watch = Signal.watch(Signal.USR1, Signal.TERM);
    Coroutine<Signal> waiting = Coroutine.spawn(watch::await);
    Coroutine.pause();

    watch.close();
    watch.close();

    assertThrows(ClosedException.class, waiting::await);
    assertThrows(ClosedException.class, watch::await);
    assertTrue(watch.isClosed() && Inside.isDefault(Signal.USR1));
  }

  @Test
  void aWatchThatNobodyAwaitsDoesNotKeepTheRun() throws Exception {
    Loop.run(() -> Signal.watch(Signal.USR1, Signal.INT));
    assertTrue(Inside.isDefault(Signal.USR1));
  }

  @InLoop
  @Test
  void oneThatIsAwaitedKeepsTheRun() throws Exception {
    try (SignalWatch watch = Signal.watch(Signal.TERM)) {
      Thread.ofPlatform().daemon().start(() -> sendWhenCaught(Signal.TERM));
      assertEquals(Signal.TERM, watch.await());
    }
  }

  private static void sendWhenCaught(Signal signal) {
    try {
      Thread.sleep(20); // the loop is in its poll by then, or not: it must wake either way
      Signal.send(ME, signal);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aClosedWatchIsNotWaitedForByADeadlock() {
    assertThrows(
        Deadlock.class,
        () ->
            Loop.run(
                () -> {
                  Signal.watch(Signal.USR1).close();
                  Coroutine.halt();
                }));
  }

  @Test
  void severalLoopsHearTheSameSignal() throws Exception {
    List<FutureTask<List<Signal>>> loops = new ArrayList<>();
    CountDownLatch watching = new CountDownLatch(3);
    CountDownLatch sent = new CountDownLatch(1);
    for (int i = 0; i < 3; i++) {
      FutureTask<List<Signal>> loop = new FutureTask<>(() -> Loop.run(() -> hear(watching, sent)));
      loops.add(loop);
      Thread.ofPlatform().start(loop);
    }
    watching.await();
    Signal.send(ME, Signal.TERM);
    Signal.send(ME, Signal.USR1);
    sent.countDown();

    for (FutureTask<List<Signal>> loop : loops) {
      List<Signal> heard = loop.get();
      assertEquals(2, heard.size());
      assertTrue(heard.containsAll(List.of(Signal.TERM, Signal.USR1)), heard::toString);
    }
    assertTrue(Inside.isDefault(Signal.USR1));
  }

  private static List<Signal> hear(CountDownLatch watching, CountDownLatch sent) throws Exception {
    try (SignalWatch watch = Signal.watch(Signal.TERM, Signal.USR1)) {
      watching.countDown();
      Loop.offload(
          () -> {
            sent.await();
            return 0;
          });
      return List.of(watch.await(), watch.await());
    }
  }

  @InLoop
  @Test
  void oneLoopThatStopsWatchingLeavesTheOthersTheirs() throws Exception {
    try (SignalWatch watch = Signal.watch(Signal.USR1, Signal.TERM)) {
      Loop.offload(
          () -> {
            Loop.run(() -> Signal.watch(Signal.USR1, Signal.TERM).close());
            return 0;
          });
      assertFalse(Inside.isDefault(Signal.USR1));

      Signal.send(ME, Signal.USR1);
      Signal.send(ME, Signal.TERM);

      assertTrue(
          List.of(watch.await(), watch.await()).containsAll(List.of(Signal.USR1, Signal.TERM)));
    }
  }

  @InLoop
  @Test
  void childrenOfTheJdkEndAsUsualWhileTheirSignalIsWatched() throws Exception {
    try (SignalWatch watch = Signal.watch(Signal.CHLD)) {
      Process child = new ProcessBuilder("true").start();

      assertEquals(Signal.CHLD, watch.await());
      assertEquals(0, Loop.<Integer>offload(child::waitFor));
    }
    assertEquals(0, Loop.<Integer>offload(() -> new ProcessBuilder("true").start().waitFor()));
  }

  @InLoop
  @ParameterizedTest
  @EnumSource(names = {"USR1", "TERM"})
  void aHandlerThatOthersHaveSetMeanwhileStaysTheirs(Signal signal) throws Exception {
    var heard = new CountDownLatch(1);
    Object theirs = VmHandler.of(heard::countDown);
    Object former = VmHandler.exchange(signal, theirs);
    VmHandler.exchange(signal, former);
    try {
      try (SignalWatch _ = Signal.watch(signal);
          SignalWatch _ = Signal.watch(signal)) {
        VmHandler.exchange(signal, theirs);
      }
      assertSame(theirs, VmHandler.exchange(signal, theirs));
      Signal.send(ME, signal);
      Loop.offload(() -> heard.await(1, TimeUnit.MINUTES));
      assertEquals(0, heard.getCount());
    } finally {
      VmHandler.exchange(signal, former);
    }
    try (SignalWatch watch = Signal.watch(signal)) { // and ours works again
      Signal.send(ME, signal);
      assertEquals(signal, watch.await());
    }
  }

  /// What was there before the watch is another's, too.
  @ParameterizedTest
  @EnumSource(names = {"USR1", "TERM"})
  void aHandlerThatOthersHaveSetBeforeIsPutBack(Signal signal) throws Exception {
    var heard = new CountDownLatch(1);
    Object theirs = VmHandler.of(heard::countDown);
    Object former = VmHandler.exchange(signal, theirs);
    Loop.run(
        () -> {
          try (SignalWatch watch = Signal.watch(signal)) {
            Signal.send(ME, signal);
            assertEquals(signal, watch.await());
            assertEquals(1, heard.getCount());
          }
          Signal.send(ME, signal);
          Loop.offload(() -> heard.await(1, TimeUnit.MINUTES));
          assertEquals(0, heard.getCount());
        });
    assertSame(theirs, VmHandler.exchange(signal, former));
  }

  @InLoop
  @Test
  void anotherThreadCannotCloseIt() throws Exception {
    try (SignalWatch watch = Signal.watch(Signal.USR1)) {
      Loop.offload(() -> assertThrows(IllegalStateException.class, watch::close));
      assertFalse(watch.isClosed());
    }
    Time.sleep(Duration.ZERO);
  }
}
