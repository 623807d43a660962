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
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Awaiting the end of a coroutine.
class AwaitTest {
  private final List<Object> log = new ArrayList<>();

  @InLoop
  @Test
  void manyAwaitOneAndGoOnInTheOrderTheyCame() throws Exception {
    Coroutine<String> awaited =
        Coroutine.spawn(
            () -> {
              Coroutine.pause();
              Coroutine.pause();
              return "result";
            });
    List<Coroutine<?>> awaiting = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int number = i;
      awaiting.add(Coroutine.spawn(() -> log.add(number + awaited.await())));
    }

    for (Coroutine<?> each : awaiting) {
      each.await();
    }

    assertEquals(List.of("0result", "1result", "2result", "3result", "4result"), log);
  }

  @InLoop
  @Test
  @Behaviour("TA10")
  void theResultIsThereAnyTimeLater() throws Exception {
    Coroutine<String> done = Coroutine.spawn(() -> "result");
    Coroutine<?> nothing = Coroutine.spawn(() -> null);
    Time.sleep(Duration.ofMillis(1));

    assertEquals("result", done.await());
    assertEquals("result", done.await());
    assertNull(nothing.await());
  }

  @InLoop
  @Test
  void everyAwaiterGetsTheVeryExceptionItFailedWith() throws Exception {
    IOException failure = new IOException("its own");
    Coroutine<?> failing =
        Coroutine.spawn(
            () -> {
              throw failure;
            });

    assertSame(failure, assertThrows(IOException.class, failing::await));
    assertSame(failure, assertThrows(IOException.class, failing::await));
    assertEquals(Status.FAILED, failing.status());
  }

  @InLoop
  @Test
  void errorsAreThrownAsTheyAre() throws Exception {
    StackOverflowError failure = new StackOverflowError();
    Coroutine<?> failing =
        Coroutine.spawn(
            () -> {
              throw failure;
            });

    assertSame(failure, assertThrows(StackOverflowError.class, failing::await));
  }

  @InLoop
  @Test
  void aRealStackOverflowFailsOnlyItsCoroutine() throws Exception {
    Coroutine<Integer> deep = Coroutine.spawn(() -> depth(0));

    assertThrows(StackOverflowError.class, deep::await);
    assertEquals("fine", Coroutine.spawn(() -> "fine").await());
  }

  private static int depth(int n) {
    return depth(n + 1) + 1;
  }

  @InLoop
  @Test
  void aCancelledOneThrowsACancellationExceptionOfTheAwaitersOwn() throws Exception {
    Coroutine<?> cancelled = Coroutine.spawn(() -> Coroutine.halt());
    Coroutine.pause();
    cancelled.cancel("because");

    CancellationException first = assertThrows(CancellationException.class, cancelled::await);
    CancellationException second = assertThrows(CancellationException.class, cancelled::await);

    assertNotSame(first, second);
    assertTrue(first.getMessage().contains(cancelled.name()), first.getMessage());
    assertTrue(first.getMessage().contains("because"), first.getMessage());
  }

  @Test
  void cancellingTheAwaiterDoesNotTouchTheAwaited() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<String> awaited =
              Coroutine.spawn(
                  () -> {
                    Time.sleep(Duration.ofSeconds(1));
                    return "result";
                  });
          Coroutine<?> awaiting = Coroutine.spawn(() -> awaited.await());
          Coroutine.pause();

          awaiting.cancel();

          assertThrows(CancellationException.class, awaiting::await);
          assertEquals("result", awaited.await());
        });
  }

  @Test
  void aResumedAwaiterIsNotToldLater() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<String> awaited =
              Coroutine.spawn(
                  () -> {
                    Time.sleep(Duration.ofSeconds(1));
                    return "result";
                  });
          Coroutine<?> awaiting =
              Coroutine.spawn(
                  () -> {
                    log.add(assertThrows(Resumed.class, awaited::await).values());
                    Time.sleep(Duration.ofSeconds(5));
                    log.add("slept");
                  });
          Coroutine.pause();

          awaiting.resume("instead");
          awaited.await();

          assertEquals(List.of(List.of("instead")), log);
          awaiting.await();
          assertEquals(List.of(List.of("instead"), "slept"), log);
        });
  }

  @InLoop
  @Test
  void itCannotAwaitItself() throws Exception {
    Coroutine<?> self = Coroutine.current().named("selfish");

    IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> self.await());

    assertTrue(thrown.getMessage().contains("selfish"), thrown.getMessage());
  }

  // ---- handlers

  @InLoop
  @Test
  @Behaviour("TA35")
  void handlersRunInOrderBeforeTheAwaiters() throws Exception {
    Coroutine<String> ending =
        Coroutine.<String>spawn(() -> "result")
            .onEnd((value, thrown) -> log.add(Arrays.asList("first", value, thrown)))
            .onEnd((value, thrown) -> log.add(Arrays.asList("second", value, thrown)));
    Coroutine<?> awaiting = Coroutine.spawn(() -> log.add("awaiter " + ending.await()));

    awaiting.await();

    assertEquals(
        List.of(
            Arrays.asList("first", "result", null),
            Arrays.asList("second", "result", null),
            "awaiter result"),
        log);
  }

  @InLoop
  @Test
  @Behaviour("TA35")
  void aHandlerAddedAfterTheEndRunsAtOnce() throws Exception {
    Coroutine<String> done = Coroutine.spawn(() -> "result");
    done.await();

    done.onEnd((value, _) -> log.add(value));

    assertEquals(List.of("result"), log);
  }

  @Test
  void aHandlerMayAddAnotherAndAwait() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<String> ending = Coroutine.spawn(() -> "result");
          ending.onEnd(
              (_, _) -> {
                Time.sleep(Duration.ofSeconds(1));
                log.add("first");
                ending.onEnd((_, _) -> log.add("added"));
              });
          ending.onEnd((_, _) -> log.add("second"));

          ending.await();

          assertEquals(List.of("first", "second", "added"), log);
        });
  }

  @InLoop
  @Test
  @Behaviour("TA37")
  void whatAHandlerOfAFailedCoroutineThrowsIsSuppressedInItsFailure() throws Exception {
    IllegalStateException fromHandler = new IllegalStateException("handler");
    Coroutine<?> failing =
        Coroutine.spawn(
            () -> {
              throw new IOException("body");
            });
    failing.onEnd(
        (_, _) -> {
          throw fromHandler;
        });
    failing.onEnd((_, thrown) -> log.add(thrown.getMessage()));

    IOException thrown = assertThrows(IOException.class, failing::await);

    assertSame(fromHandler, thrown.getSuppressed()[0]);
    assertEquals(List.of("body"), log);
  }

  @Test
  void whatAHandlerOfASuccessThrowsIsLoggedAndTheResultStays() throws Exception {
    try (CapturedLog logged = new CapturedLog()) {
      Loop.run(
          () -> {
            Coroutine<String> done =
                Coroutine.<String>spawn(() -> "result")
                    .named("fine")
                    .onEnd(
                        (_, _) -> {
                          throw new IllegalStateException("handler");
                        });

            assertEquals("result", done.await());
          });

      assertEquals(1, logged.records().size());
      assertTrue(logged.messages().getFirst().contains("fine"), logged.messages().getFirst());
      assertEquals("handler", logged.records().getFirst().getThrown().getMessage());
    }
  }
}
