// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import org.junit.jupiter.api.Test;

/// What the failure of a coroutine does to its scope.
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class ScopePolicyTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final List<Object> log = new ArrayList<>();

  // ---- cancel on failure

  @InLoop
  @Test
  void laterFailuresAreSuppressedInTheFirst() throws Exception {
    IOException first = new IOException("first");
    IllegalStateException second = new IllegalStateException("second");
    try (Scope scope = Scope.open()) {
      scope.spawn(
          () -> {
            try {
              Time.sleep(HOUR);
            } finally {
              failWith(second); // while it is cancelled because of the first
            }
          });
      scope.spawn(
          () -> {
            throw first;
          });
      assertSame(first, assertThrows(IOException.class, scope::join));
      assertArrayEquals(new Throwable[] {second}, first.getSuppressed());
    }
  }

  @Test
  @Behaviour("TA47")
  void aWaiterInsideGetsTheFailureAndSoDoesEveryOther() throws Exception {
    IOException failure = new IOException("first");
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.spawn(() -> sleepAndTell("sibling"));
            scope.spawn(
                () -> {
                  Time.sleep(Duration.ofMillis(1));
                  throw failure;
                });
            assertSame(failure, assertThrows(IOException.class, scope::join));
            assertTrue(scope.isCancelled());
          }
        });

    assertEquals(List.of("sibling"), log);
  }

  @Test
  void aFailureThatSomebodyAwaitsIsTheirs() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            scope.spawn(
                () -> {
                  Time.sleep(HOUR);
                  log.add("sibling goes on");
                });
            Coroutine<?> failing =
                scope.spawn(
                    () -> {
                      throw new IOException("awaited");
                    });
            assertThrows(IOException.class, failing::await);
          }
        });

    assertEquals(List.of("sibling goes on"), log);
  }

  // ---- supervise

  @Test
  void aSupervisedScopeGoesOnAndThrowsTheFirstFailureAtTheEnd() throws Exception {
    IOException first = new IOException("first");
    IOException second = new IOException("second");
    Loop.run(
        JumpingTime.options(),
        () -> {
          IOException thrown =
              assertThrows(
                  IOException.class,
                  () -> {
                    try (Scope scope = Scope.open(ScopePolicy.SUPERVISE)) {
                      scope.spawn(
                          () -> {
                            throw first;
                          });
                      scope.spawn(
                          () -> {
                            Time.sleep(SECOND);
                            throw second;
                          });
                      scope.spawn(
                          () -> {
                            Time.sleep(HOUR);
                            log.add("the others went on");
                          });
                    }
                  });
          assertSame(first, thrown);
          assertArrayEquals(new Throwable[] {second}, first.getSuppressed());
        });

    assertEquals(List.of("the others went on"), log);
  }

  @Test
  void aSupervisedScopeIsCancelledLikeAnyOther() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open(ScopePolicy.SUPERVISE)) {
            scope.spawn(() -> sleepAndTell("cancelled"));
            Coroutine.pause();
            scope.cancel();
          }
        });

    assertEquals(List.of("cancelled"), log);
  }

  // ---- handlers

  @Test
  @Behaviour("TA49")
  void aHandlerTakesTheFailuresAndNobodyIsCancelled() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            scope.onFailure(
                (coroutine, failure) -> log.add(coroutine.name() + ": " + failure.getMessage()));
            scope.spawn(() -> failWith(new IllegalStateException("x"))).named("a");
            scope.spawn(() -> failWith(new IllegalStateException("y"))).named("b");
            scope.spawn(
                () -> {
                  Time.sleep(HOUR);
                  log.add("third");
                });
            scope.join();
            assertFalse(scope.isCancelled());
          }
        });

    assertEquals(List.of("a: x", "b: y", "third"), log);
  }

  @Test
  void severalHandlersAreToldInOrder() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.onFailure(failure -> log.add("first " + failure.getMessage()));
            scope.onFailure(failure -> log.add("second " + failure.getMessage()));
            scope.spawn(() -> failWith(new IllegalStateException("x")));
          }
        });

    assertEquals(List.of("first x", "second x"), log);
  }

  /// The scope is not left before the handler has returned, though nobody else is in it.
  @Test
  void aHandlerMayAwait() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            scope.onFailure(
                failure -> {
                  Time.sleep(HOUR);
                  log.add("handled");
                });
            scope.spawn(() -> failWith(new IllegalStateException("x")));
          }
          log.add("left");
        });

    assertEquals(List.of("handled", "left"), log);
  }

  @Test
  void aHandlerMayStartTheCoroutineAgain() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open(ScopePolicy.SUPERVISE)) {
            scope.onFailure(failure -> scope.spawn(this::failTwice));
            scope.spawn(this::failTwice);
          }
        });

    assertEquals(List.of("try", "try", "try", "worked"), log);
  }

  private void failTwice() throws IOException {
    log.add("try");
    if (log.size() < 3) {
      throw new IOException("not yet");
    }
    log.add("worked");
  }

  @Test
  void aHandlerThatThrowsLeavesTheFailureToTheScope() throws Exception {
    IllegalStateException failure = new IllegalStateException("failure");
    IllegalArgumentException ofHandler = new IllegalArgumentException("of the handler");
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.onFailure(
                thrown -> {
                  throw ofHandler;
                });
            scope.spawn(() -> sleepAndTell("sibling cancelled"));
            scope.spawn(() -> failWith(failure));
            assertSame(failure, assertThrows(IllegalStateException.class, scope::join));
          }
        });

    assertEquals(List.of("sibling cancelled"), log);
    assertArrayEquals(new Throwable[] {ofHandler}, failure.getSuppressed());
  }

  @Test
  void aHandlerMayThrowTheFailureOnAgain() throws Exception {
    IllegalStateException failure = new IllegalStateException("failure");
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.onFailure(
                thrown -> {
                  throw (IllegalStateException) thrown;
                });
            scope.spawn(() -> failWith(failure));
            assertSame(failure, assertThrows(IllegalStateException.class, scope::join));
          }
        });

    assertEquals(0, failure.getSuppressed().length);
  }

  @Test
  void aHandlerIsToldOfWhatFailsWhileTheScopeIsCancelled() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.onFailure(
                failure -> {
                  Coroutine.pause(); // and is not itself cancelled
                  log.add(failure.getMessage());
                });
            scope.spawn(
                () -> {
                  try {
                    Time.sleep(HOUR);
                  } finally {
                    failWith(new IllegalStateException("clean-up"));
                  }
                });
            Coroutine.pause();
            scope.cancel();
          }
        });

    assertEquals(List.of("clean-up"), log);
  }

  /// The scope inside ends with the failure, and so does the coroutine that opened it.
  @Test
  @Behaviour("TA50")
  void aHandlerTakesWhatFailsInAScopeInside() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            scope.onFailure(failure -> log.add(failure.getMessage()));
            scope.spawn(
                () -> {
                  try (Scope inner = Scope.open()) {
                    inner.spawn(() -> failWith(new IllegalStateException("inner")));
                  }
                });
            scope.spawn(
                () -> {
                  Time.sleep(HOUR);
                  log.add("alive");
                });
          }
        });

    assertEquals(List.of("inner", "alive"), log);
  }

  private static void failWith(RuntimeException failure) {
    throw failure;
  }

  private void sleepAndTell(String name) {
    try {
      Time.sleep(HOUR);
    } finally {
      log.add(name);
    }
  }
}
