// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.ClosedException;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.net.Udp;
import dev.couv.testing.Behaviour;
import dev.couv.testing.Tries;
import dev.couv.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// A loop that the program runs itself.
class EmbeddedLoopTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  // ---- running

  @Test
  @Behaviour("LP01")
  void itIsRunningOnlyInsideARun() {
    try (Loop loop = Loop.open()) {
      loop.spawn(() -> log.add(loop.isRunning()));
      assertFalse(loop.isRunning());

      loop.run(Mode.LOOP);

      assertEquals(List.of(true), log);
      assertFalse(loop.isRunning());
    }
  }

  /// The seeds take a string, which may be wrong; here only null can be.
  @Test
  @Behaviour("LP03")
  void aRunNeedsAMode() {
    try (Loop loop = Loop.open()) {
      assertThrows(NullPointerException.class, () -> loop.run((Mode) null));

      loop.spawn(() -> log.add("usable"));
      loop.run(Mode.LOOP);
      assertEquals(List.of("usable"), log);
    }
  }

  @Test
  @Behaviour("LP04")
  void aRunWithNothingToDoReturnsFalse() {
    try (Loop loop = Loop.open()) {
      for (Mode mode : Mode.values()) {
        assertFalse(loop.run(mode), mode::toString);
      }
    }
  }

  @Test
  @Behaviour("LP05")
  void aRunInsideACoroutineIsRefusedAndTheOuterRunGoesOn() {
    try (Loop loop = Loop.open();
        Loop other = Loop.open()) {
      loop.spawn(
          () -> {
            for (Loop inner : List.of(loop, other)) {
              IllegalStateException refused =
                  assertThrows(IllegalStateException.class, () -> inner.run(Mode.LOOP));
              assertTrue(refused.getMessage().contains("already running"), refused.getMessage());
            }
            Coroutine.pause();
            log.add("went on");
          });

      assertFalse(loop.run(Mode.LOOP));

      assertEquals(List.of("went on"), log);
    }
  }

  @Test
  void anIdleLoopCanBeClosedInsideACoroutineOfAnother() throws Exception {
    Loop.run(
        () -> {
          Loop idle = Loop.open();

          idle.close();

          assertThrows(ClosedException.class, () -> idle.spawn(() -> "late"));
          Coroutine.pause();
          log.add("went on");
        });

    assertEquals(List.of("went on"), log);
  }

  @Test
  void aLoopWithACoroutineCannotAndStaysUsable() throws Exception {
    try (Loop other = Loop.open()) {
      Coroutine<?> first = other.spawn(() -> log.add("first"));
      Loop.run(
          () -> {
            IllegalStateException refused = assertThrows(IllegalStateException.class, other::close);
            assertTrue(refused.getMessage().contains("Loop.offload"), refused.getMessage());
          });

      assertFalse(other.run(Mode.LOOP));

      assertEquals(List.of("first"), log);
      assertEquals(Status.DONE, first.status());
    }
  }

  @Test
  @Behaviour("LP07")
  void loopFinishesEverythingInOneCall() {
    try (Loop loop = Loop.open()) {
      for (int i = 0; i < 10; i++) {
        int number = i;
        loop.spawn(
            () -> {
              for (int turn = 0; turn < number; turn++) {
                Time.sleep(turn % 2 == 0 ? Duration.ZERO : Duration.ofMillis(1));
              }
              log.add(number);
            });
      }

      assertFalse(loop.run(Mode.LOOP));

      assertEquals(10, log.size());
    }
  }

  @Test
  void readyRunsEachOnceAndNeverWaits() {
    try (Loop loop = Loop.open()) {
      Action twoTurns =
          () -> {
            log.add("first");
            Coroutine.pause();
            log.add("second");
            Time.sleep(HOUR);
          };
      loop.spawn(twoTurns);
      loop.spawn(twoTurns);

      assertTrue(loop.run(Mode.READY));
      assertEquals(List.of("first", "first"), log);

      assertTrue(loop.run(Mode.READY));
      assertEquals(List.of("first", "first", "second", "second"), log);

      assertTrue(loop.run(Mode.READY)); // returns although they sleep
    }
  }

  @Test
  void stepWaitsUntilSomethingIsReadyAndRunsItOnce() {
    try (Loop loop = Loop.open()) {
      loop.spawn(
          () -> {
            Time.sleep(Duration.ofMillis(5));
            log.add("first");
            Time.sleep(Duration.ofMillis(5));
            log.add("second");
          });
      loop.run(Mode.READY);

      assertTrue(loop.run(Mode.STEP));
      assertEquals(List.of("first"), log);
      assertFalse(loop.run(Mode.STEP));
      assertEquals(List.of("first", "second"), log);
    }
  }

  /// A handle that was closed, and an alarm that was set for somebody who left, wake the loop for
  /// nobody.
  @Test
  void stepWaitsOnWhenItIsWokenForNobody() throws Exception {
    Tries.oneOf(
        20,
        () -> {
          log.clear();
          stepWhenWokenForNobody(); // before the shortest sleep is over
        });
  }

  private void stepWhenWokenForNobody() throws Exception {
    try (Loop loop = Loop.open()) {
      List<TcpListener> listeners = new ArrayList<>();
      loop.spawn(
          () ->
              listeners.add(
                  Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))));
      Coroutine<?> impatient = loop.spawn(() -> Time.sleep(Duration.ofMillis(5)));
      loop.spawn(
          () -> {
            Time.sleep(Duration.ofMillis(30));
            log.add("slept");
          });
      loop.run(Mode.READY);
      loop.post(() -> {});
      loop.run(Mode.STEP); // arms the alarm for the shortest sleep
      assertThrows(Resumed.class, impatient::resume);
      listeners.getFirst().close();

      loop.run(Mode.STEP);

      assertEquals(List.of("slept"), log);
    }
  }

  @Test
  @Behaviour("LP08")
  void haltingALoopThatDoesNotRunIsRefused() {
    try (Loop loop = Loop.open()) {
      IllegalStateException refused = assertThrows(IllegalStateException.class, loop::halt);

      assertTrue(refused.getMessage().contains("not running"), refused.getMessage());
    }
  }

  @Test
  @Behaviour("LP09")
  void haltMakesTheRunReturnAndTheNextRunGoesOn() throws Exception {
    try (Loop loop = Loop.open()) {
      Coroutine<?> sleeper =
          loop.spawn(() -> log.add(assertThrows(Resumed.class, () -> Time.sleep(HOUR)).values()));
      loop.spawn(loop::halt);
      loop.spawn(() -> log.add("in the next run"));

      assertTrue(loop.run(Mode.LOOP));
      assertEquals(List.of(), log);

      sleeper.resume("awake");
      assertFalse(loop.run(Mode.LOOP));
      assertEquals(List.of(List.of("awake"), "in the next run"), log);
    }
  }

  /// However many are ready.
  @Test
  void nobodyElseHasATurnAfterAHalt() {
    try (Loop loop = Loop.open()) {
      for (int i = 0; i < 10; i++) {
        int number = i;
        loop.spawn(
            () -> {
              log.add(number);
              if (number == 3) {
                loop.halt();
                log.add("goes on until it suspends");
                Coroutine.pause();
              }
              log.add("end of " + number);
            });
      }

      assertTrue(loop.run(Mode.LOOP));
      assertEquals(
          List.of(0, "end of 0", 1, "end of 1", 2, "end of 2", 3, "goes on until it suspends"),
          log);

      assertFalse(loop.run(Mode.LOOP));
      assertEquals(21, log.size());
      assertTrue(log.contains("end of 3"));
    }
  }

  /// Also one that only the halter's program could wake.
  @Test
  void aHaltedRunTellsThatSomebodyStillAwaits() {
    try (Loop loop = Loop.open()) {
      Coroutine<?> waiting = loop.spawn(() -> log.add(Coroutine.halt()));
      loop.spawn(loop::halt);

      assertTrue(loop.run(Mode.LOOP));

      loop.spawn(() -> waiting.resume("now"));
      assertFalse(loop.run(Mode.LOOP));
      assertEquals(List.of("now"), log);
    }
  }

  @Test
  void anotherThreadHaltsALoopThatWaits() throws Exception {
    try (Loop loop = Loop.open()) {
      loop.spawn(() -> Time.sleep(HOUR));
      loop.spawn(
          () ->
              Thread.ofPlatform()
                  .start(
                      () -> {
                        loop.halt();
                        log.add("halted");
                      }));

      assertTrue(loop.run(Mode.LOOP));

      assertFalse(loop.isRunning());
    }
  }

  @Test
  void aLoopOnVirtualTimeCanBeStepped() {
    try (Loop loop = Loop.open(JumpingTime.options())) {
      loop.spawn(
          () -> {
            Time.sleep(HOUR);
            log.add("an hour later");
          });
      loop.run(Mode.READY);

      assertFalse(loop.run(Mode.STEP));

      assertEquals(List.of("an hour later"), log);
    }
  }

  @Test
  void twoLoopsTakeTurnsOnOneThread() {
    try (Loop first = Loop.open();
        Loop second = Loop.open()) {
      for (Loop loop : List.of(first, second)) {
        loop.spawn(
            () -> {
              for (int i = 0; i < 3; i++) {
                log.add((loop == first ? "first " : "second ") + i);
                assertEquals(loop, Loop.current());
                Coroutine.pause();
              }
            });
      }

      while (first.run(Mode.READY) | second.run(Mode.READY)) {}

      assertEquals(
          List.of("first 0", "second 0", "first 1", "second 1", "first 2", "second 2"), log);
    }
  }

  // ---- spawning and ending

  @Test
  void spawnBeforeTheFirstRunAndBetweenRuns() {
    try (Loop loop = Loop.open()) {
      loop.spawn(() -> log.add(1));
      loop.run(Mode.LOOP);
      loop.spawn(() -> log.add(2));
      loop.run(Mode.LOOP);

      assertEquals(List.of(1, 2), log);
    }
  }

  @Test
  void closingCancelsWhatIsLeftAndLetsItUnwind() {
    Loop loop = Loop.open();
    Coroutine<?> sleeper =
        loop.spawn(
            () -> {
              try {
                Time.sleep(HOUR);
              } finally {
                log.add("finally");
              }
            });
    loop.run(Mode.READY);

    loop.close();

    assertEquals(List.of("finally"), log);
    assertEquals(Status.CANCELLED, sleeper.status());
  }

  @Test
  void closingClosesTheHandlesThatWereLeftOpen() throws Exception {
    Loop loop = Loop.open();
    Coroutine<TcpListener> listening =
        loop.spawn(() -> Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    loop.spawn(() -> listening.await().accept());
    loop.spawn(
        () -> {
          TcpStream stream = Tcp.connect(listening.await().local());
          Coroutine.halt();
          stream.close();
        });
    loop.run(Mode.LOOP);
    assertTrue(loop.stats().handles() > 0);

    loop.close();

    assertEquals(0, loop.stats().handles());
  }

  /// Nothing was ever run: what was spawned has never begun, and never will.
  @Test
  void closingALoopThatNeverRanCancelsWhatWasSpawned() {
    Loop loop = Loop.open();
    Coroutine<?> spawned = loop.spawn(() -> log.add("begun"));
    CompletableFuture<?> submitted = loop.submit(() -> log.add("begun"));
    loop.post(() -> log.add("begun"));

    loop.close();

    assertEquals(List.of(), log);
    assertEquals(Status.CANCELLED, spawned.status());
    assertTrue(submitted.isCancelled());
  }

  @Test
  void whatIsSubmittedAndNotBegunIsCancelledByTheClose() throws Exception {
    Loop loop = Loop.open();
    loop.run(Mode.READY);
    CompletableFuture<?> submitted = loop.submit(() -> log.add("begun"));

    loop.close();

    assertTrue(submitted.isDone());
    assertThrows(CancellationException.class, submitted::join);
    assertEquals(List.of(), log);
  }

  /// A coroutine that spawns while it unwinds does not keep the loop from closing.
  @Test
  void whatIsSpawnedWhileTheLoopClosesIsCancelledToo() {
    Loop loop = Loop.open();
    loop.spawn(
        () -> {
          try {
            Time.sleep(HOUR);
          } finally {
            Coroutine.spawn(() -> Time.sleep(HOUR)).onEnd((_, thrown) -> log.add(thrown));
          }
        });
    loop.run(Mode.READY);

    loop.close();

    assertEquals(List.of(Cancelled.class), log.stream().<Object>map(Object::getClass).toList());
  }

  @Test
  void closingTwiceDoesNothing() {
    Loop loop = Loop.open();
    loop.close();
    loop.close();
  }

  @Test
  void aClosedLoopRefusesEverything() {
    Loop loop = Loop.open();
    loop.close();

    assertThrows(ClosedException.class, () -> loop.run(Mode.LOOP));
    assertThrows(ClosedException.class, () -> loop.spawn(() -> log.add("begun")));
    assertThrows(ClosedException.class, () -> loop.post(() -> log.add("begun")));
    assertThrows(ClosedException.class, () -> loop.submit(() -> log.add("begun")));
    assertThrows(ClosedException.class, loop::halt);
    assertEquals(List.of(), log);
  }

  @Test
  void aRunningLoopCannotBeClosed() {
    try (Loop loop = Loop.open()) {
      loop.spawn(() -> log.add(assertThrows(IllegalStateException.class, loop::close)));

      loop.run(Mode.LOOP);

      assertEquals(1, log.size());
    }
  }

  // ---- looking inside

  @Test
  void theStatsCountWhatThereIs() {
    try (Loop loop = Loop.open()) {
      loop.spawn(() -> Time.sleep(HOUR));
      loop.spawn(() -> Coroutine.halt());
      loop.run(Mode.READY);
      loop.spawn(() -> log.add("ready"));

      LoopStats stats = loop.stats();

      assertEquals(3, stats.coroutines());
      assertEquals(1, stats.ready());
      assertEquals(1, stats.timers());
      assertEquals(0, stats.handles());
      assertEquals(0, stats.requests());
      assertTrue(stats.iterations() > 0);
      assertTrue(stats.nativeBytes() > 0);
      assertEquals(System.getProperty("couv.test.engine"), stats.engine());
    }
  }

  @Test
  void loopWhoseThreadHasEndedIsClosedByAnother() throws Exception {
    List<String> log = new ArrayList<>();
    Loop loop = Loop.open();
    Coroutine<?>[] left = new Coroutine<?>[1];
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  left[0] =
                      loop.spawn(
                          () -> {
                            Udp.bind(new InetSocketAddress("127.0.0.1", 0));
                            try {
                              Time.sleep(Duration.ofDays(1));
                            } finally {
                              Coroutine.protect(
                                  () -> {
                                    Time.sleep(Duration.ofMillis(1));
                                    log.add("unwound");
                                  });
                            }
                          });
                  loop.run(Mode.READY);
                });
    thread.join();

    loop.close();

    assertEquals(List.of("unwound"), log);
    assertEquals(Status.CANCELLED, left[0].status());
    loop.close();
  }

  @Test
  void loopWhoseThreadHasEndedIsNotRunByAnother() throws Exception {
    try (Loop loop = Loop.open()) {
      Thread thread = Thread.ofPlatform().start(() -> loop.run(Mode.READY));
      thread.join();

      assertThrows(IllegalStateException.class, () -> loop.run(Mode.READY));
    }
  }
}
