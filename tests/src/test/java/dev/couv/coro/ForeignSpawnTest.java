// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// What another thread spawned and the loop has not looked at yet is a coroutine like any other.
class ForeignSpawnTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  /// Spawned by another thread while the calling coroutine keeps the turn, so that the loop cannot
  /// have begun it.
  private static <T> Coroutine<T> spawnedElsewhere(Body<T> body) {
    Loop loop = Loop.current();
    AtomicReference<Coroutine<T>> made = new AtomicReference<>();
    Thread.ofPlatform().start(() -> made.set(loop.spawn(body).named("spawned elsewhere")));
    while (made.get() == null) {
      Thread.onSpinWait();
    }
    return made.get();
  }

  /// Lets the loop look at what was posted.
  private static void takeTurns() {
    Time.sleep(Duration.ofMillis(1));
    Coroutine.pause();
  }

  /// The post that would have begun it finds nothing to do.
  private static void assertForgotten(Coroutine<?> late, int before) {
    assertEquals(before, Loop.current().stats().coroutines());
    String dump = Loop.current().dump();
    assertFalse(dump.contains(late.name()), dump);
  }

  @Test
  void oneThatIsCancelledAtOnceNeverRuns() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          int before = Loop.current().stats().coroutines();
          Coroutine<?> late = spawnedElsewhere(() -> log.add("ran"));

          late.cancel();

          assertThrows(CancellationException.class, late::await);
          assertEquals(before, Loop.current().stats().coroutines());
          takeTurns();
          assertEquals(Status.CANCELLED, late.status());
          assertForgotten(late, before);
        });

    assertEquals(List.of(), log);
  }

  @Test
  void oneThatIsResumedAtOnceRunsOnce() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          int before = Loop.current().stats().coroutines();
          Coroutine<?> late =
              spawnedElsewhere(
                  () -> {
                    log.add("ran");
                    return "result";
                  });

          assertEquals("result", late.resume());

          assertEquals(before, Loop.current().stats().coroutines());
          takeTurns();
          assertEquals(Status.DONE, late.status());
          assertForgotten(late, before);
        });

    assertEquals(List.of("ran"), log);
  }

  @Test
  void theLoopStillKnowsItsOtherCoroutines() throws Exception {
    RuntimeException failure = new RuntimeException("the end");
    try (CapturedLog _ = new CapturedLog()) { // the failure is told there too
      assertSame(
          failure,
          assertThrows(
              RuntimeException.class,
              () ->
                  Loop.run(
                      JumpingTime.options(),
                      () -> {
                        spawnedElsewhere(() -> "never").cancel();
                        takeTurns();

                        Coroutine.spawn(
                            () -> {
                              throw failure;
                            });
                        sleepThatMustBeCancelled();
                      })));
    }

    assertEquals(List.of("cancelled"), log);
  }

  private void sleepThatMustBeCancelled() {
    try {
      Time.sleep(HOUR);
      log.add("slept");
    } catch (Cancelled expected) {
      log.add("cancelled");
      throw expected;
    }
  }
}
