// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Scopes that are left without waiting.
@SuppressWarnings("try") // closing a scope may throw what failed
class ZombiesTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  @Test
  void whoHasBegunGoesOnAndTheLoopWaitsForIt() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Scope scope = Scope.open(ScopePolicy.ZOMBIES);
          Coroutine<?> begun;
          Coroutine<?> late;
          try (scope) {
            begun = scope.spawn(() -> sleepAndTell("zombie"));
            Coroutine.pause();
            late = scope.spawn(() -> sleepAndTell("never begins"));
          }
          log.add("left");
          assertTrue(scope.isClosed());
          assertFalse(scope.isCancelled());
          assertFalse(scope.isFinished());
          assertEquals(Status.SUSPENDED, begun.status());
          assertThrows(CancellationException.class, late::await);
          assertThrows(IllegalStateException.class, () -> scope.spawn(() -> log.add("begun")));
        });

    assertEquals(List.of("left", "zombie"), log);
  }

  @Test
  void cancellingTheScopeDoesNotTouchThemCancellingOneOfThemDoes() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open(ScopePolicy.ZOMBIES)) {
            Coroutine<?> one = scope.spawn(() -> sleepAndTell("one"));
            scope.spawn(() -> sleepAndTell("two"));
            Coroutine.pause();
            scope.cancel();
            assertTrue(scope.isCancelled());
            Coroutine.pause();
            assertEquals(Status.SUSPENDED, one.status());
            one.cancel();
          }
        });

    assertEquals(List.of("two"), log);
  }

  @Test
  void theScopesAroundMayEndBeforeThem() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            scope.spawn(
                () -> {
                  try (Scope zombies = Scope.open(ScopePolicy.ZOMBIES)) {
                    zombies.context().set("key", "value");
                    zombies.spawn(
                        () -> {
                          sleepAndTell("zombie");
                          log.add(Context.current().<String>find("key"));
                        });
                    Coroutine.pause();
                  }
                });
          }
          log.add("left");
          assertEquals(1, Coroutine.current().scope().children().size());
        });

    assertEquals(List.of("left", "zombie", "value"), log);
  }

  @Test
  void theLastOfThemEndsTheScope() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Scope scope = Scope.open(ScopePolicy.ZOMBIES);
          try (scope) {
            scope.onEnd(() -> log.add("end handler"));
            scope.own(() -> log.add("resource"));
            scope.spawn(() -> sleepAndTell("zombie"));
            Coroutine.pause();
          }
          log.add("left");
          Time.sleep(HOUR.multipliedBy(2));
          assertEquals(List.of(), Coroutine.current().scope().children());
        });

    assertEquals(List.of("left", "zombie", "end handler", "resource"), log);
  }

  @InLoop
  @Test
  void withoutCoroutinesTheScopeEndsAtOnce() throws Exception {
    try (Scope scope = Scope.open(ScopePolicy.ZOMBIES)) {
      scope.spawn(() -> log.add("child")).await();
    }
    assertEquals(List.of(), Coroutine.current().scope().children());
  }

  @Test
  void theyMaySpawnOthersLikeThem() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open(ScopePolicy.ZOMBIES)) {
            scope.spawn(
                () -> {
                  Time.sleep(HOUR);
                  Coroutine.spawn(() -> sleepAndTell("grandchild"));
                });
            Coroutine.pause();
          }
          log.add("left");
        });

    assertEquals(List.of("left", "grandchild"), log);
  }

  @Test
  void theirFailureReachesTheScopeAround() throws Exception {
    IllegalStateException failure = new IllegalStateException("of a zombie");
    IllegalStateException thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                Loop.run(
                    JumpingTime.options(),
                    () -> {
                      try (Scope scope = Scope.open(ScopePolicy.ZOMBIES)) {
                        scope.spawn(
                            () -> {
                              Time.sleep(HOUR);
                              throw failure;
                            });
                        Coroutine.pause();
                      }
                      log.add("left");
                    }));

    assertSame(failure, thrown);
    assertEquals(List.of("left"), log);
  }

  @Test
  void oneThatOnlyAResumeCouldContinueEndsWhenTheOthersHave() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open(ScopePolicy.ZOMBIES)) {
            scope.spawn(
                () -> {
                  Coroutine<?> generator =
                      Coroutine.create(
                          () -> {
                            try {
                              Coroutine.yield();
                            } finally {
                              log.add("generator ended");
                            }
                          });
                  assertNull(generator.resume());
                  sleepAndTell("zombie");
                });
            Coroutine.pause();
          }
        });

    assertEquals(List.of("zombie", "generator ended"), log);
  }

  /// The end of the loop is the end of everybody.
  @Test
  void aProgramThatFailsCancelsThemToo() {
    IllegalStateException failure = new IllegalStateException("of main");
    assertSame(
        failure,
        assertThrows(
            IllegalStateException.class,
            () ->
                Loop.run(
                    () -> {
                      try (Scope scope = Scope.open(ScopePolicy.ZOMBIES)) {
                        scope.spawn(
                            () -> {
                              try {
                                Time.sleep(HOUR);
                              } finally {
                                log.add("cancelled");
                              }
                            });
                        Coroutine.pause();
                      }
                      throw failure;
                    })));

    assertEquals(List.of("cancelled"), log);
  }

  @Test
  @Behaviour("TA54")
  void zombiesThatNothingCanWakeAreADeadlock() {
    Deadlock deadlock =
        assertThrows(
            Deadlock.class,
            () ->
                Loop.run(
                    () -> {
                      try (Scope scope = Scope.open(ScopePolicy.ZOMBIES)) {
                        List<Coroutine<?>> pair = new ArrayList<>();
                        pair.add(scope.spawn(() -> catchAndTell(pair, 1)).named("left one"));
                        pair.add(scope.spawn(() -> catchAndTell(pair, 0)).named("left two"));
                        Coroutine.pause();
                      }
                    }));

    assertEquals(List.of("left one", "left two"), names(deadlock));
    assertEquals(List.of("caught", "caught"), log);
  }

  private void catchAndTell(List<Coroutine<?>> pair, int other) throws Exception {
    try {
      pair.get(other).await();
    } catch (Cancelled caught) {
      log.add("caught");
    }
  }

  private static List<String> names(Deadlock deadlock) {
    return deadlock.coroutines().stream().map(Coroutine::name).toList();
  }

  private void sleepAndTell(String name) {
    Time.sleep(HOUR);
    log.add(name);
  }
}
