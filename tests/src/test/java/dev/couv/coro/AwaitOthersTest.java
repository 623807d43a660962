// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.ClosedException;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// Waits for what is neither coroutine nor event: races of bodies, stages of ordinary Java code, and
/// whatever else implements `Awaitable`.
class AwaitOthersTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  private int slow(String name) {
    try {
      Time.sleep(HOUR);
      return 0;
    } finally {
      log.add(name + " leaves");
    }
  }

  // ---- race

  @InLoop
  @Test
  void theFirstOfARaceWinsAndTheRestHaveEnded() throws Exception {
    int value = Await.race(() -> slow("a"), () -> 1, () -> slow("c"));

    assertEquals(1, value);
    assertEquals(List.of("a leaves", "c leaves"), log);
  }

  @InLoop
  @Test
  void aFailureMayWinARace() throws Exception {
    IOException failure = new IOException("first");
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                Await.<Integer>race(
                    () -> slow("a"),
                    () -> {
                      throw failure;
                    }));

    assertSame(failure, thrown);
    assertEquals(List.of("a leaves"), log);
    assertThrows(IllegalArgumentException.class, () -> Await.race());
  }

  @InLoop
  @Test
  void aLoserThatFailsDoesNotChangeWhoWon() throws Exception {
    Body<Integer> sore =
        () -> {
          try {
            return slow("a");
          } finally {
            sneak(new IOException("sore"));
          }
        };
    try (CapturedLog messages = new CapturedLog()) {
      assertEquals(1, Await.<Integer>race(sore, () -> 1));
      while (messages.records().isEmpty()) {
        Loop.offload(() -> 0); // the log is written by another thread
      }
      assertEquals("sore", messages.records().getFirst().getThrown().getMessage());
    }
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                Await.<Integer>race(
                    sore,
                    () -> {
                      throw new IOException("first");
                    }));
    assertEquals("first", thrown.getMessage());
    assertEquals("sore", thrown.getSuppressed()[0].getMessage());
  }

  @SuppressWarnings("unchecked")
  private static <E extends Exception> void sneak(Exception exception) throws E {
    throw (E) exception;
  }

  @InLoop
  @Test
  void aCancelledRaceEndsItsBodies() throws Exception {
    Coroutine<Integer> racing =
        Coroutine.spawn(() -> Await.<Integer>race(() -> slow("a"), () -> slow("b")));
    Coroutine.pause();
    Coroutine.pause();

    racing.cancel();

    assertThrows(CancellationException.class, racing::await);
    assertEquals(List.of("a leaves", "b leaves"), log);
  }

  // ---- stages

  @InLoop
  @Test
  void aStageThatIsCompleteNeedsNoWait() throws Exception {
    assertEquals(1, Await.stage(CompletableFuture.completedFuture(1)));
    IOException failure = new IOException("failed");
    CompletableFuture<Integer> failed = CompletableFuture.failedFuture(failure);
    assertSame(failure, assertThrows(IOException.class, () -> Await.stage(failed)));
    CompletableFuture<Integer> derived = failed.thenApply(x -> x + 1);
    assertSame(
        failure,
        assertThrows(IOException.class, () -> Await.stage(derived)),
        "without the CompletionException around it");
    CompletableFuture<Integer> cancelled = new CompletableFuture<>();
    cancelled.cancel(false);
    assertThrows(CancellationException.class, () -> Await.stage(cancelled));
    CompletionException bare = new CompletionException("no cause", null);
    assertSame(
        bare,
        assertThrows(
            CompletionException.class, () -> Await.stage(CompletableFuture.failedFuture(bare))));
  }

  @InLoop
  @Test
  void aStageThatAnotherThreadCompletesWakesTheLoop() throws Exception {
    for (int i = 0; i < 20; i++) {
      int value = i;
      assertEquals(i, Await.stage(CompletableFuture.supplyAsync(() -> value)));
    }
  }

  @InLoop
  @Test
  void stagesAreMembersLikeAnyOther() throws Exception {
    CompletableFuture<String> never = new CompletableFuture<>();
    CompletableFuture<String> soon = CompletableFuture.supplyAsync(() -> "soon");
    Awaitable<String> source = Await.from(soon);

    assertSame(source, Await.select(Await.from(never), source).source());
    assertEquals(List.of("soon", 2), Await.all(Await.from(soon), Coroutine.spawn(() -> 2)));
    assertEquals("soon", source.await());
    assertEquals("soon", source.await());
  }

  @Test
  void aCancelledWaitLeavesTheStageAlone() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          CompletableFuture<String> stage = new CompletableFuture<>();

          assertThrows(TimeoutException.class, () -> Time.timeout(HOUR, () -> Await.stage(stage)));

          assertFalse(stage.isDone());
          Coroutine<String> again = Coroutine.spawn(() -> Await.stage(stage));
          Coroutine.pause();
          stage.complete("late");
          assertEquals("late", again.await());
        });
  }

  @InLoop
  @Test
  void aStageThatLosesManyWaitsKeepsNothingOfThem() throws Exception {
    CompletableFuture<String> never = new CompletableFuture<>();
    for (int i = 0; i < 50; i++) {
      Await.any(Await.from(never), Coroutine.spawn(() -> {}));
    }
    assertEquals(0, never.getNumberOfDependents());
    Coroutine<String> waiting = Coroutine.spawn(() -> Await.stage(never));
    Coroutine.pause();
    assertEquals(1, never.getNumberOfDependents());
    waiting.cancel();
    Await.settle(waiting);
    assertEquals(0, never.getNumberOfDependents());
  }

  @InLoop
  @Test
  void aStageThatIsNoFutureIsAwaitedToo() throws Exception {
    CompletableFuture<String> future = new CompletableFuture<>();
    @SuppressWarnings("unchecked") // it is one
    CompletionStage<String> stage =
        (CompletionStage<String>)
            java.lang.reflect.Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {CompletionStage.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("toCompletableFuture")) {
                    throw new UnsupportedOperationException();
                  }
                  return method.invoke(future, arguments);
                });
    Coroutine.spawn(() -> future.complete("there"));
    assertEquals("there", Await.stage(stage));
  }

  @Test
  void aStageCompletedAfterItsLoopHasEndedIsHarmless() throws Exception {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Loop.run(
        () -> {
          Coroutine<String> waiting = Coroutine.spawn(() -> Await.stage(stage));
          Coroutine.pause();
          waiting.cancel();
        });

    assertTrue(stage.complete("too late"));
  }

  // ---- any other awaitable

  /// Refuses a second one who waits, as a stream does.
  private final class Single implements Awaitable<String> {
    private boolean busy;
    private int waits;

    @Override
    public String await() {
      assertFalse(busy, "busy");
      busy = true;
      waits++;
      try {
        Time.sleep(HOUR);
        return "single";
      } finally {
        busy = false;
      }
    }
  }

  @Test
  void anyAwaitableCanBeAMember() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Single single = new Single();
          Event<?> later = Time.after(HOUR.multipliedBy(2));

          Selected<Object> selected = Await.select(later, single);

          assertSame(single, selected.source());
          assertEquals("single", selected.value());
          assertEquals(List.of("single", "single"), Await.all(new Single(), new Single()));
        });
  }

  @Test
  void anAwaitableThatLosesIsFreeAgainWhenTheWaitReturns() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Single single = new Single();
          for (int i = 0; i < 3; i++) {
            Event<?> soon = Time.after(Duration.ofMinutes(1));
            assertSame(soon, Await.select(single, soon).source());
          }
          assertEquals("single", single.await());
          assertEquals(4, single.waits);
        });
  }

  @InLoop
  @Test
  void whatAnAwaitableThrowsIsItsOutcome() throws Exception {
    IOException failure = new IOException("failed");
    Awaitable<String> failing =
        () -> {
          throw failure;
        };
    assertEquals(List.of(Outcome.failure(failure)), Await.settle(failing));
    assertSame(
        failure,
        assertThrows(
            IOException.class,
            () -> Await.any(failing, Await.from(new CompletableFuture<String>()))));
  }

  @InLoop
  @Test
  void aCancelledWaitEndsTheCoroutineOfAnAwaitable() throws Exception {
    Single single = new Single();
    Coroutine<Object> waiting = Coroutine.spawn(() -> Await.any(single, new Single()));
    Coroutine.pause();
    waiting.cancel();
    assertThrows(CancellationException.class, waiting::await);
    assertFalse(single.busy);
    assertEquals(1, Loop.current().stats().coroutines());
  }

  // ---- as events

  @InLoop
  @Test
  void whateverCanBeAwaitedCanBeAnEvent() throws Exception {
    Coroutine<Integer> coroutine =
        Coroutine.spawn(
            () -> {
              Coroutine.pause();
              return 7;
            });
    Event<Integer> event = Event.of(coroutine);
    event.subscribe((value, error) -> log.add(value + " " + error));
    event.start();

    assertEquals(7, event.await());
    assertEquals(7, event.await(), "it stays");

    assertEquals(List.of("7 null"), log);
    assertTrue(event.isClosed());
    event.close();
  }

  @InLoop
  @Test
  void anEventOfASourceLetsGoOfItWhenNobodyAwaitsIt() throws Exception {
    IOException failure = new IOException("failed");
    Single single = new Single();
    Event<String> event = Event.of(single);
    Coroutine<String> waiting = Coroutine.spawn(event::await);
    Coroutine.pause();
    Coroutine.pause();
    assertTrue(single.busy);

    waiting.cancel();
    assertThrows(CancellationException.class, waiting::await);
    Coroutine.pause();

    assertFalse(single.busy);
    Event<Integer> failed =
        Event.of(
            () -> {
              throw failure;
            });
    assertSame(failure, assertThrows(IOException.class, failed::await));
    assertSame(failure, assertThrows(IOException.class, failed::await));
  }

  @InLoop
  @Test
  void anEventOfASourceOutlivesTheScopeOfWhoAwaitedItFirst() throws Exception {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Event<String> event = Event.of(() -> Await.stage(stage));
    Scope scope = Scope.open();
    scope.spawn(event::await);
    Coroutine.pause();
    Coroutine<String> second = Coroutine.spawn(event::await);
    Coroutine.pause();

    scope.cancel();
    scope.close();
    stage.complete("told");

    assertEquals("told", second.await());
  }

  @InLoop
  @Test
  @SuppressWarnings("try") // closing a scope waits, and throws what failed
  void anEventThatIsStartedHoldsNoScopeOpen() throws Exception {
    try (Event<String> event = Event.of(() -> Await.stage(new CompletableFuture<>()))) {
      try (Scope scope = Scope.open()) {
        scope.spawn(event::start);
      }
    }
  }

  @InLoop
  @Test
  @SuppressWarnings("try") // closing a scope waits, and throws what failed
  void anEventOfASourceHappensAlsoIfTheScopeOfWhoStartedItIsCancelled() throws Exception {
    Single single = new Single();
    Event<String> event = Event.of(single);
    try (Scope scope = Scope.open()) {
      scope.spawn(event::await);
      Coroutine.pause();
      Coroutine<String> other = Coroutine.spawn(event::await);
      Coroutine.pause();
      assertTrue(single.busy);
      scope.cancel();
      Coroutine.pause();
      Coroutine.pause();
      assertTrue(single.busy);
      event.close();
      assertThrows(ClosedException.class, other::await);
    }
    Coroutine.pause();
    assertFalse(single.busy);
  }

  @Test
  void anEventOfASourceIsCancelledWhereTheLoopEnds() {
    List<Object> heard = new ArrayList<>();
    IOException failure = new IOException("failed");
    Body<Object> main =
        () -> {
          Scope scope = Coroutine.current().scope();
          scope.onEnd(
              () -> {
                Event<String> event = Event.of(new Single());
                heard.add(assertThrows(CancellationException.class, event::await).getMessage());
                Coroutine.protect(() -> heard.add(Await.any(() -> "protected")));
              });
          throw failure;
        };

    assertSame(failure, assertThrows(IOException.class, () -> Loop.run(main)));
    assertEquals(List.of("an event was cancelled: its loop ends", "protected"), heard);
  }

  @Test
  void aLoserThatFailsAtTheSameTimeDoesNotFailTheScope() throws Exception {
    try (CapturedLog log = new CapturedLog()) {
      Loop.run(
          () -> {
            Awaitable<String> first =
                () -> {
                  Coroutine.pause();
                  throw new IllegalStateException("first");
                };
            Awaitable<String> second =
                () -> {
                  Coroutine.pause();
                  throw new IllegalStateException("second");
                };
            var thrown = assertThrows(IllegalStateException.class, () -> Await.any(first, second));
            assertEquals("first", thrown.getMessage());
          });

      assertEquals("second", log.records().getFirst().getThrown().getMessage());
    }
  }
}
