// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.ClosedException;
import dev.couv.pool.LoopPool;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// What the loop's own scope does when the loop ends: the same as any other.
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class LoopScopeEndTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new CopyOnWriteArrayList<>();
  private final TestClock clock = new TestClock();

  // ---- a run

  @Test
  void handlersOfARunsScopeRunInOrderThenWhatItOwnsIsClosedInReverse() throws Exception {
    Loop.run(
        clock.options(),
        () -> {
          Scope scope = own();
          scope.own(slowly("first resource"));
          scope.onEnd(() -> slowly("first handler").close());
          scope.own(slowly("second resource"));
          scope.onEnd(failure -> log.add("second handler " + failure));
          Coroutine.spawn(
              () -> {
                Time.sleep(HOUR);
                log.add("child");
              });
          log.add("main");
        });

    assertEquals(
        List.of(
            "main",
            "child",
            "first handler",
            "second handler null",
            "second resource",
            "first resource"),
        log);
  }

  @Test
  void aRunHasItsResultAllTheSame() throws Exception {
    assertEquals(
        "result",
        Loop.<String>run(
            () -> {
              own().own(() -> log.add("closed"));
              return "result";
            }));

    assertEquals(List.of("closed"), log);
  }

  @Test
  void aGeneratorThatNobodyResumesEndsBeforeThem() throws Exception {
    Loop.run(
        () -> {
          own().onEnd(() -> log.add("handler"));
          Coroutine<?> generator =
              Coroutine.create(
                  () -> {
                    try {
                      Coroutine.yield(1);
                    } finally {
                      log.add("generator");
                    }
                  });
          generator.resume();
          own().context().set("generator", generator);
        });

    assertEquals(List.of("generator", "handler"), log);
  }

  @Test
  void aHandlerMaySpawnInTheScopeAndIsWaitedFor() throws Exception {
    Loop.run(
        clock.options(),
        () -> {
          Scope scope = own();
          scope.onEnd(() -> Coroutine.spawn(() -> slowly("spawned").close()));
          scope.onEnd(() -> scope.spawn(() -> slowly("spawned in it").close()));
          scope.onEnd(() -> log.add("next"));
        });

    assertEquals(List.of("spawned", "spawned in it", "next"), log);
  }

  @Test
  void whatAHandlerThrowsTheRunThrows() {
    IOException first = new IOException("first");
    IOException second = new IOException("second");

    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                Loop.run(
                    () -> {
                      own().own(failing(second));
                      own().onEnd(() -> failing(first).close());
                      own().own(() -> log.add("closed all the same"));
                    }));

    assertSame(first, thrown);
    assertArrayEquals(new Throwable[] {second}, first.getSuppressed());
    assertEquals(List.of("closed all the same"), log);
  }

  @Test
  void handlersAreToldWhatTheRunFailsWithAndTheirsIsSuppressedInIt() {
    IOException failure = new IOException("main");
    IOException late = new IOException("handler");

    assertSame(
        failure,
        assertThrows(
            IOException.class,
            () ->
                Loop.run(
                    () -> {
                      own().onEnd(told -> log.add(told == failure));
                      own().onEnd(() -> failing(late).close());
                      throw failure;
                    })));

    assertEquals(List.of(true), log);
    assertArrayEquals(new Throwable[] {late}, failure.getSuppressed());
  }

  @Test
  void theyRunAfterADeadlock() {
    assertThrows(
        Deadlock.class,
        () ->
            Loop.run(
                () -> {
                  own().own(() -> log.add("closed"));
                  Coroutine.halt();
                }));

    assertEquals(List.of("closed"), log);
  }

  @Test
  void whatIsAddedWhileTheRunUnwindsIsDoneToo() {
    assertThrows(
        IOException.class,
        () ->
            Loop.run(
                () -> {
                  Coroutine.spawn(
                      () -> {
                        try {
                          Coroutine.halt();
                        } finally {
                          own().onEnd(() -> log.add("late"));
                        }
                      });
                  Coroutine.pause();
                  throw new IOException("x");
                }));

    assertEquals(List.of("late"), log);
  }

  @Test
  void aScopeThatNobodyClosedEndsBeforeIt() throws Exception {
    Loop.run(
        () -> {
          own().onEnd(() -> log.add("the loop's"));
          Scope.open().onEnd(() -> log.add("forgotten"));
        });

    assertEquals(List.of("forgotten", "the loop's"), log);
  }

  @Test
  void aScopeThatNobodyClosedEndsThoughTheLoopsHasNothingToDo() throws Exception {
    Loop.run(() -> Scope.open().onEnd(() -> log.add("forgotten")));

    assertEquals(List.of("forgotten"), log);
  }

  @Test
  void aRunOnAVirtualThreadDoesItToo() throws Exception {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                Loop.run(() -> own().onEnd(() -> log.add("handler")));
              } catch (Exception failed) {
                log.add(failed);
              }
            })
        .join();

    assertEquals(List.of("handler"), log);
  }

  // ---- a shutdown

  @Test
  void aShutdownLeavesThemItsGrace() throws Exception {
    Loop.run(
        clock.options(),
        () -> {
          own().onEnd(() -> slowly("in time").close());
          Loop.current().shutdown(HOUR.multipliedBy(2));
          Time.sleep(HOUR);
        });

    assertEquals(List.of("in time"), log);
  }

  @Test
  void whenTheGraceIsOverTheyStillRunButCannotWait() {
    assertThrows(
        Cancelled.class,
        () ->
            Loop.run(
                clock.options(),
                () -> {
                  own().own(() -> log.add("closed"));
                  own()
                      .onEnd(
                          () -> {
                            log.add("handler");
                            Time.sleep(HOUR);
                            log.add("never");
                          });
                  Loop.current().shutdown(SECOND);
                  Coroutine.protect(() -> Time.sleep(HOUR));
                }));

    assertEquals(List.of("handler", "closed"), log);
  }

  /// The closer loses its protection in the middle; what is left to do is done.
  @Test
  void whenTheGraceIsOverAnInnerScopeDoesItsToo() throws Exception {
    Loop.run(
        clock.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            scope.own(() -> log.add("closed"));
            scope.onEnd(() -> log.add("handler"));
            scope.spawn(() -> Coroutine.protect(() -> Time.sleep(HOUR)));
            Coroutine.pause();
            Loop.current().shutdown(SECOND);
          }
        });

    assertEquals(List.of("handler", "closed"), log);
  }

  // ---- a loop that is embedded

  @Test
  void anEmbeddedLoopDoesItWhenItIsClosed() {
    try (Loop loop = Loop.open(clock.options())) {
      loop.spawn(
          () -> {
            own().own(slowly("resource"));
            own().onEnd(() -> slowly("handler").close());
          });
      loop.run(Mode.LOOP);
      assertEquals(List.of(), log);
    }

    assertEquals(List.of("handler", "resource"), log);
  }

  @Test
  void whatAHandlerOfAnEmbeddedLoopThrowsIsLogged() {
    IOException failure = new IOException("x");
    try (CapturedLog logged = new CapturedLog()) {
      try (Loop loop = Loop.open()) {
        loop.spawn(
            () -> {
              own().onEnd(() -> failing(failure).close());
              own().onEnd(() -> log.add("next"));
            });
        loop.run(Mode.LOOP);
      }

      assertEquals(1, logged.records().size());
      assertSame(failure, logged.records().getFirst().getThrown());
      assertTrue(
          logged.messages().getFirst().contains("the end of the loop's scope"),
          logged.messages()::toString);
    }
    assertEquals(List.of("next"), log);
  }

  @Test
  void onAClosedLoopAHandlerRunsAtOnceAndNothingIsOwned() {
    AtomicReference<Scope> scope = new AtomicReference<>();
    try (Loop loop = Loop.open()) {
      loop.spawn(() -> scope.set(own()));
      loop.run(Mode.LOOP);
    }

    scope.get().onEnd(() -> log.add("at once"));
    assertThrows(ClosedException.class, () -> scope.get().own(() -> log.add("closed at once")));

    assertEquals(List.of("at once", "closed at once"), log);
  }

  @Test
  void aLoopThatHasSomethingToDoAtItsEndIsNotClosedInAnothersCoroutine() throws Exception {
    try (Loop loop = Loop.open()) {
      loop.spawn(() -> own().onEnd(() -> log.add("handler"))).scope();
      loop.run(Mode.LOOP);
      Loop.run(() -> assertThrows(IllegalStateException.class, loop::close));
      assertEquals(List.of(), log);
    }

    assertEquals(List.of("handler"), log);
  }

  // ---- from elsewhere

  @Test
  void whatWasSpawnedOrSubmittedFromAnotherThreadCanAddToIt() throws Exception {
    Loop.run(
        () -> {
          Loop loop = Loop.current();
          Loop.offload(
              () -> {
                loop.submit(() -> own().onEnd(() -> log.add("submitted"))).get();
                loop.spawn(() -> own().onEnd(() -> log.add("spawned")));
                return loop.submit(() -> "both have run").get();
              });
        });

    assertEquals(List.of("submitted", "spawned"), log);
  }

  @Test
  void thePoolsLoopsDoItWhenThePoolEnds() throws Exception {
    try (LoopPool pool = LoopPool.open(1)) {
      pool.submit(() -> own().onEnd(() -> log.add("pool"))).await();
      assertEquals(List.of(), log);
    }

    assertEquals(List.of("pool"), log);
  }

  private static Scope own() {
    return Coroutine.current().scope();
  }

  private AutoCloseable slowly(String name) {
    return () -> {
      Time.sleep(HOUR);
      log.add(name);
    };
  }

  private static AutoCloseable failing(Exception failure) {
    return () -> {
      throw failure;
    };
  }
}
