// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.net.LocalStream;
import dev.couv.net.Pair;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class LoopAwaitIdleTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  @InLoop
  @Test
  void everybodyElseHasComeAsFarAsPossible() throws Exception {
    Coroutine<?> stuck = Coroutine.spawn(() -> Coroutine.halt());
    Coroutine<Void> busy =
        Coroutine.spawn(
            () -> {
              for (int i = 0; i < 1000; i++) {
                Coroutine.pause();
              }
              Coroutine.spawn(() -> Coroutine.spawn(() -> log.add("grandchild")));
            });
    Loop.awaitIdle();
    assertEquals(Status.DONE, busy.status());
    assertEquals(Status.SUSPENDED, stuck.status());
    assertEquals(List.of("grandchild"), log);
    stuck.resume();
  }

  @InLoop
  @Test
  void whatHasArrivedIsServed() throws Exception {
    try (Pair ends = LocalStream.pair()) {
      Coroutine<Integer> reader =
          Coroutine.spawn(() -> ends.second().read(ByteBuffer.allocate(10)));
      Loop.awaitIdle();
      assertEquals(Status.SUSPENDED, reader.status());
      ends.first().tryWrite(ByteBuffer.allocate(3));
      Loop.awaitIdle();
      assertEquals(Status.DONE, reader.status());
    }
  }

  @InLoop
  @Test
  void whatOtherThreadsHavePostedIsServed() throws Exception {
    Loop loop = Loop.current();
    Thread poster = Thread.ofPlatform().start(() -> loop.post(() -> log.add("posted")));
    poster.join();
    Loop.awaitIdle();
    assertEquals(List.of("posted"), log);
  }

  @Test
  void timeDoesNotPass() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<Void> sleeper = Coroutine.spawn(() -> Time.sleep(HOUR));
          Instant before = Time.now();
          Loop.awaitIdle();
          assertEquals(before, Time.now());
          assertEquals(Status.SUSPENDED, sleeper.status());
          sleeper.cancel();
        });
  }

  @Test
  void severalGoOnInTheOrderTheyCame() throws Exception {
    Loop.run(
        () -> {
          for (int i = 0; i < 3; i++) {
            int number = i;
            Coroutine.spawn(
                () -> {
                  Loop.awaitIdle();
                  log.add(number);
                });
          }
        });
    assertEquals(List.of(0, 1, 2), log);
  }

  @Test
  void onlyOneWhoWaitsForItIsNoDeadlock() throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> stuck = Coroutine.create(() -> Coroutine.yield());
          stuck.resume();
          Loop.awaitIdle();
          Loop.awaitIdle();
          log.add("twice");
        });
    assertEquals(List.of("twice"), log);
  }

  @InLoop
  @Test
  void aCancelAndAResumeEndTheWait() throws Exception {
    Coroutine<Void> cancelled = Coroutine.spawn(() -> Loop.awaitIdle());
    Coroutine<Object> resumed =
        Coroutine.spawn(
            () -> {
              try {
                Loop.awaitIdle();
                return "idle";
              } catch (Resumed by) {
                return by.values();
              }
            });
    Coroutine.pause();
    cancelled.cancel();
    resumed.resume("early");
    assertThrows(CancellationException.class, cancelled::await);
    assertEquals(List.of("early"), resumed.await());
  }

  @Test
  void aLoopThatIsRunByStepsTellsToo() {
    for (Mode mode : List.of(Mode.STEP, Mode.READY)) {
      log.clear();
      try (Loop loop = Loop.open()) {
        loop.spawn(
            () -> {
              Loop.awaitIdle();
              log.add("idle");
            });
        int turns = 0;
        while (loop.run(mode)) {
          assertTrue(++turns < 10, "it never is idle");
        }
        assertEquals(List.of("idle"), log);
        assertFalse(loop.run(Mode.LOOP));
      }
    }
  }

  @Test
  void outsideOfACoroutineItIsRefused() {
    IllegalStateException refusal =
        assertThrows(IllegalStateException.class, () -> Loop.awaitIdle());
    assertTrue(refusal.getMessage().startsWith("Loop.awaitIdle"), refusal.getMessage());
  }
}
