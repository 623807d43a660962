// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Coroutines with somebody who takes their failures, or their ends: the handlers of a scope, and those
/// of a coroutine.
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class SpawnTest {
  private final List<Object> log = new ArrayList<>();

  @InLoop
  @Test
  @Behaviour({"SP01", "SP02"})
  void nothingToRunAndNobodyToTellAreRefused() throws Exception {
    assertThrows(NullPointerException.class, () -> Coroutine.spawn((Body<?>) null));
    assertThrows(NullPointerException.class, () -> Coroutine.spawn((Action) null));
    assertThrows(NullPointerException.class, () -> Coroutine.create((Body<?>) null));
    Scope scope = Coroutine.current().scope();
    assertThrows(NullPointerException.class, () -> scope.onFailure((Consumer<Throwable>) null));
    Coroutine<?> done = Coroutine.spawn(() -> null);
    assertThrows(NullPointerException.class, () -> done.onEnd(null));
    assertNull(done.await());
  }

  @Test
  @Behaviour("SP03")
  void aBodyThatSucceedsDoesNotReachTheHandlerOfFailures() throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> main = Coroutine.current();
          try (Scope scope = Scope.open()) {
            scope.onFailure((_, failure) -> log.add(failure));
            scope.spawn(
                () -> {
                  assertNotSame(main, Coroutine.current());
                  log.add("ran");
                });
          }
        });

    assertEquals(List.of("ran"), log);
  }

  @Test
  @Behaviour("SP05")
  void theHandlerGetsTheFailureUnchangedWhateverItIs() throws Exception {
    List<Throwable> failures =
        List.of(
            new IOException("checked"),
            new IllegalStateException("unchecked"),
            new StackOverflowError(),
            new Throwable("neither"));
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.onFailure((_, failure) -> log.add(failure));
            failures.forEach(failure -> scope.spawn(() -> fail(failure)));
          }
        });

    assertEquals(failures, log); // none of them has an equals of its own
  }

  @InLoop
  @Test
  @Behaviour("SP06")
  void aFailureAfterASuspensionReachesTheHandlerNotWhoLetItGoOn() throws Exception {
    IOException failure = new IOException("late");
    Coroutine.current().scope().onFailure((_, thrown) -> log.add(thrown));
    Coroutine<?> failing =
        Coroutine.spawn(
            () -> {
              Coroutine.halt();
              Coroutine.pause(); // back to its resumer
              throw failure;
            });
    Coroutine.pause();

    failing.resume(); // throws nothing
    assertEquals(List.of(), log);
    Time.sleep(Duration.ofMillis(1));

    assertEquals(List.of(failure), log);
    assertEquals(Status.FAILED, failing.status());
  }

  @Test
  @Behaviour("SP07")
  void aHandlerOfFailuresThatThrowsLosesNeither() {
    IOException failure = new IOException("of the body");
    IllegalStateException second = new IllegalStateException("of the handler");

    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                Loop.run(
                    () -> {
                      try (Scope scope = Scope.open()) {
                        scope.onFailure(
                            (_, _) -> {
                              throw second;
                            });
                        scope.spawn(() -> fail(failure));
                      }
                    }));

    assertSame(failure, thrown);
    assertEquals(List.of(second), List.of(thrown.getSuppressed()));
  }

  @Test
  @Behaviour({"SP09", "SP10"})
  void theEndHandlerRunsAtTheEndOnlyAndIsToldOfAFailure() throws Exception {
    IOException failure = new IOException("its own");
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<?> failing =
              Coroutine.spawn(
                  () -> {
                    Time.sleep(Duration.ofSeconds(1));
                    log.add("body");
                    fail(failure);
                  });
          failing.onEnd((value, thrown) -> log.add(Arrays.asList(value, thrown)));
          Coroutine.pause();
          assertEquals(List.of(), log);

          assertSame(failure, assertThrows(IOException.class, failing::await));
        });

    assertEquals(List.of("body", Arrays.asList(null, failure)), log);
  }

  @Test
  @Behaviour("SP11")
  void whatAnEndHandlerThrowsAfterASuccessIsToldAndTheResultStays() throws Exception {
    IllegalStateException ofHandler = new IllegalStateException("of the handler");
    try (CapturedLog logged = new CapturedLog()) {
      Loop.run(
          () -> {
            Coroutine<String> done = Coroutine.create(() -> "result");
            done.onEnd(
                (_, _) -> {
                  throw ofHandler;
                });

            assertEquals("result", done.resume());
          });

      assertSame(ofHandler, logged.records().getFirst().getThrown());
      assertEquals(1, logged.records().size());
    }
  }

  @InLoop
  @Test
  @Behaviour("SP13")
  void whatABodyCapturesArrivesUnchanged() throws Exception {
    Object[] captured = {null, true, 1, 1.5, "text", this, new int[] {1}};
    assertSame(
        captured,
        Coroutine.spawn(
                () -> {
                  Coroutine.pause();
                  return captured;
                })
            .await());
  }

  @InLoop
  @Test
  @Behaviour("SP14")
  void failedAndSuspendedOnesThatNobodyHoldsAreCollected() throws Exception {
    Coroutine.current().scope().onFailure((_, failure) -> log.add(failure.getMessage()));
    WeakReference<?> failed = failed();
    WeakReference<?> suspended = suspended();
    for (int i = 0; i < 500 && !(failed.refersTo(null) && suspended.refersTo(null)); i++) {
      System.gc();
      Time.sleep(Duration.ofMillis(1)); // a failure is told when nobody is ready to claim it
    }

    assertTrue(failed.refersTo(null), "the failed one");
    assertTrue(suspended.refersTo(null), "the suspended one");
    assertEquals(List.of("told"), log);
  }

  private static WeakReference<?> failed() {
    WeakReference<?> reference =
        new WeakReference<>(Coroutine.spawn(() -> fail(new IOException("told"))));
    Coroutine.pause();
    return reference;
  }

  private static WeakReference<?> suspended() throws Exception {
    Coroutine<?> generator = Coroutine.create(() -> Coroutine.yield());
    generator.resume();
    return new WeakReference<Object>(generator);
  }

  @Test
  @Behaviour("TA3")
  void givingWayAloneReturnsPromptlyAndWithoutATimer() throws Exception {
    TestClock clock = new TestClock(); // which every wait would move on
    for (LoopOptions options : List.of(LoopOptions.DEFAULT, clock.options())) {
      Loop.run(
          options,
          () -> {
            int handles = Loop.current().stats().handles();
            for (int i = 0; i < 100; i++) {
              Coroutine.pause();
              Time.sleep(Duration.ZERO);
              assertEquals(0, Loop.current().stats().timers());
            }

            assertEquals(handles, Loop.current().stats().handles());
          });
    }

    assertEquals(Duration.ZERO, clock.elapsed(), "it waited");
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void fail(Throwable failure) throws T {
    throw (T) failure;
  }
}
