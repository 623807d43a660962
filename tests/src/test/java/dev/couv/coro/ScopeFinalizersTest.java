// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/// What a scope does when its coroutines have ended.
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class ScopeFinalizersTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  @Test
  @Behaviour("TA35")
  void handlersRunInOrderThenWhatItOwnsIsClosedInReverse() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            scope.own(named("first resource"));
            scope.onEnd(() -> log.add("first handler"));
            scope.own(named("second resource"));
            scope.onEnd(failure -> log.add("second handler " + failure));
            scope.spawn(
                () -> {
                  Time.sleep(HOUR);
                  log.add("child");
                });
            log.add("body");
          }
          log.add("left");
        });

    assertEquals(
        List.of(
            "body",
            "child",
            "first handler",
            "second handler null",
            "second resource",
            "first resource",
            "left"),
        log);
  }

  @Test
  void ownReturnsTheResource() throws Exception {
    Loop.run(
        () -> {
          AutoCloseable resource = named("closed");
          try (Scope scope = Scope.open()) {
            assertSame(resource, scope.own(resource));
          }
        });

    assertEquals(List.of("closed"), log);
  }

  @Test
  void theyRunAlsoWhenTheScopeFailsAndAreToldWhy() throws Exception {
    IOException failure = new IOException("x");
    Loop.run(
        () -> {
          assertThrows(
              IOException.class,
              () -> {
                try (Scope scope = Scope.open()) {
                  scope.own(named("resource"));
                  scope.onEnd(told -> log.add(told == failure));
                  scope.spawn(
                      () -> {
                        throw failure;
                      });
                }
              });
        });

    assertEquals(List.of(true, "resource"), log);
  }

  /// All run; the first that fails is thrown, the others are suppressed in it.
  @Test
  @Behaviour({"TA37", "TA51"})
  void oneThatThrowsStopsNoOther() throws Exception {
    IOException first = new IOException("first");
    IOException second = new IOException("second");
    IOException third = new IOException("third");
    Loop.run(
        () -> {
          IOException thrown =
              assertThrows(
                  IOException.class,
                  () -> {
                    try (Scope scope = Scope.open()) {
                      scope.onEnd(
                          () -> {
                            throw first;
                          });
                      scope.onEnd(
                          () -> {
                            throw second;
                          });
                      scope.own(
                          () -> {
                            throw third;
                          });
                      scope.own(named("resource"));
                      scope.spawn(() -> log.add("never begins"));
                      scope.cancel();
                    }
                  });
          assertSame(first, thrown);
        });

    assertEquals(List.of("resource"), log);
    assertArrayEquals(new Throwable[] {second, third}, first.getSuppressed());
  }

  @Test
  void theyAreNotCancelledWithTheirScopeOrItsOwner() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<?> owner =
              Coroutine.spawn(
                  () -> {
                    try (Scope scope = Scope.open()) {
                      scope.own(
                          () -> {
                            Time.sleep(HOUR);
                            log.add("resource");
                          });
                      scope.onEnd(
                          () -> {
                            Time.sleep(HOUR);
                            log.add("handler");
                          });
                      scope.spawn(() -> Time.sleep(HOUR));
                    }
                  });
          Coroutine.pause();
          owner.cancel();

          assertThrows(CancellationException.class, owner::await);
        });

    assertEquals(List.of("handler", "resource"), log);
  }

  /// What a handler spawns in the scope is waited for, before the next one runs.
  @Test
  void aHandlerMaySpawnInTheScope() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            scope.onEnd(
                () ->
                    scope.spawn(
                        () -> {
                          Time.sleep(HOUR);
                          log.add("spawned");
                        }));
            scope.onEnd(() -> log.add("next"));
          }
        });

    assertEquals(List.of("spawned", "next"), log);
  }

  @Test
  void aHandlerMayAddAnother() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.onEnd(() -> scope.onEnd(() -> log.add("second")));
          }
        });

    assertEquals(List.of("second"), log);
  }

  @InLoop
  @Test
  @Behaviour("TA35")
  void onAClosedScopeAHandlerRunsAtOnceAndItsExceptionIsTheCallers() throws Exception {
    IOException checked = new IOException("checked");
    Scope scope = Scope.open();
    scope.close();

    scope.onEnd(() -> log.add("at once"));
    assertEquals(List.of("at once"), log);
    assertThrows(
        IllegalStateException.class,
        () ->
            scope.onEnd(
                () -> {
                  throw new IllegalStateException("unchecked");
                }));
    assertSame(
        checked,
        assertThrows(
                CompletionException.class,
                () ->
                    scope.onEnd(
                        () -> {
                          throw checked;
                        }))
            .getCause());
  }

  @Test
  void aClosedScopeClosesWhatItIsToOwnAndRefuses() throws Exception {
    IOException failing = new IOException("failing");
    Loop.run(
        () -> {
          Scope scope = Scope.open();
          scope.close();

          assertThrows(IllegalStateException.class, () -> scope.own(named("closed at once")));
          IllegalStateException refusal =
              assertThrows(
                  IllegalStateException.class,
                  () ->
                      scope.own(
                          () -> {
                            throw failing;
                          }));
          assertArrayEquals(new Throwable[] {failing}, refusal.getSuppressed());
        });

    assertEquals(List.of("closed at once"), log);
  }

  private AutoCloseable named(String name) {
    return () -> log.add(name);
  }
}
