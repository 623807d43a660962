// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// A scope that a second coroutine closes while the first is at it.
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class ScopeSecondCloserTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();
  private final TestClock clock = new TestClock();

  @Test
  void itReturnsWhenTheHandlersHaveEnded() throws Exception {
    Loop.run(
        clock.options(),
        () -> {
          Scope scope = Scope.open();
          scope.onEnd(() -> slowly("handler").close());
          Coroutine<?> first = besides(scope::close);
          Coroutine.pause();

          scope.close();
          log.add("closed");
          first.await();
        });

    assertEquals(List.of("handler", "closed"), log);
  }

  @Test
  void soDoesTheSecondWhoClosesAGroup() throws Exception {
    Loop.run(
        clock.options(),
        () -> {
          TaskGroup<String> group = TaskGroup.open();
          group.spawn(() -> "task").scope().onEnd(() -> slowly("handler").close());
          Coroutine<?> first = besides(group::close);
          Coroutine.pause();

          group.close();
          log.add("closed");
          first.await();
        });

    assertEquals(List.of("handler", "closed"), log);
  }

  @Test
  void oneThatIsCancelledWaitsAllTheSame() throws Exception {
    Loop.run(
        clock.options(),
        () -> {
          Scope scope = Scope.open();
          scope.onEnd(() -> slowly("handler").close());
          Coroutine<?> first = besides(scope::close);
          Coroutine<?> second =
              besides(
                  () -> {
                    try {
                      scope.close();
                    } finally {
                      log.add("second");
                    }
                  });
          Coroutine.pause();
          Coroutine.pause();
          second.cancel();

          assertThrows(CancellationException.class, second::await);
          first.await();
        });

    assertEquals(List.of("handler", "second"), log);
  }

  @Test
  void oneOfThemIsThrownTheFailure() throws Exception {
    IOException failure = new IOException("x");
    Loop.run(
        clock.options(),
        () -> {
          Scope scope = Scope.open();
          scope.onEnd(
              () -> {
                Time.sleep(HOUR);
                throw failure;
              });
          Coroutine<?> first = besides(scope::close);
          Coroutine.pause();

          scope.close();
          assertSame(failure, assertThrows(IOException.class, first::await));
        });
  }

  /// It would wait for itself.
  @Test
  void aHandlerThatClosesItDoesNotWait() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.onEnd(
                () -> {
                  scope.close();
                  log.add("first");
                });
            scope.onEnd(() -> log.add("second"));
          }
        });

    assertEquals(List.of("first", "second"), log);
  }

  /// In a scope of its own: one whose closer is inside of it would wait for itself.
  private static Coroutine<?> besides(Action body) {
    return Loop.current().spawn(body);
  }

  private AutoCloseable slowly(String name) {
    return () -> {
      Time.sleep(HOUR);
      log.add(name);
    };
  }
}
