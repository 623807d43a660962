// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// What cancelled coroutines may do, and what others see of it.
class CancellationTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  @Test
  @Behaviour("TA31")
  void severalCancelsOfOneProtectedStretchAreOne() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<?> protecting =
              Coroutine.spawn(
                  () -> {
                    try {
                      protectedSleep("first");
                      protectedSleep("second");
                    } finally {
                      log.add("unwound");
                    }
                  });
          Coroutine.pause();

          assertTrue(protecting.cancel("one"));
          assertFalse(protecting.cancel("two"));
          assertFalse(protecting.cancel("three"));

          CancellationException thrown =
              assertThrows(CancellationException.class, protecting::await);
          assertTrue(thrown.getMessage().endsWith("one"), thrown::getMessage);
        });

    assertEquals(List.of("first", "unwound"), log);
  }

  /// The defect of the seeds: leaving the inner stretch took the protection of the outer one away.
  @Test
  @Behaviour("TA33")
  void leavingAnInnerProtectedStretchLeavesTheOuterOneProtected() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<?> protecting =
              Coroutine.spawn(
                  () ->
                      Coroutine.protect(
                          () -> {
                            protectedSleep("inner");
                            Time.sleep(HOUR);
                            log.add("outer");
                          }));
          Coroutine.pause();
          protecting.cancel();

          assertThrows(CancellationException.class, protecting::await);
        });

    assertEquals(List.of("inner", "outer"), log);
  }

  @InLoop
  @Test
  @Behaviour("TA34")
  void whoCatchesItMayReturnAResult() throws Exception {
    Coroutine<String> catching =
        Coroutine.spawn(
            () -> {
              try {
                Time.sleep(HOUR);
                return "slept";
              } catch (Cancelled caught) {
                return "caught";
              }
            });
    Coroutine.pause();
    catching.cancel();

    assertEquals("caught", catching.await());
    assertEquals(Status.DONE, catching.status());
  }

  @InLoop
  @Test
  @Behaviour({"TA27", "TA10"})
  void cancellingWhatHasEndedChangesNeitherAResultNorAFailure() throws Exception {
    IOException failure = new IOException("x");
    Coroutine<String> done = Coroutine.spawn(() -> "value");
    Coroutine<String> failed =
        Coroutine.spawn(
            () -> {
              throw failure;
            });
    assertThrows(IOException.class, failed::await);

    assertFalse(done.cancel());
    assertFalse(failed.cancel());

    for (int times = 0; times < 3; times++) {
      assertEquals("value", done.await());
      assertSame(failure, assertThrows(IOException.class, failed::await));
    }
  }

  private void protectedSleep(String name) throws Exception {
    Coroutine.protect(
        () -> {
          Time.sleep(HOUR);
          log.add(name);
        });
  }
}
