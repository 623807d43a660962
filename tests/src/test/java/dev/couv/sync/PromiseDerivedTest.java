// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.CapturedLog;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/// What is made of promises, and failures that nobody looks at.
class PromiseDerivedTest {
  private final List<Object> log = new ArrayList<>();

  @InLoop
  @Test
  @Behaviour("TA75")
  void aDerivedPromiseOutlivesItsSource() throws Exception {
    Promise<String> source = new Promise<>();
    Promise<Integer> derived = source.map(String::length).map(n -> n * 2);
    Coroutine.spawn(() -> source.complete("four"));

    assertEquals(8, derived.await());
  }

  @InLoop
  @Test
  void whatMapsRunsInACoroutineOfItsOwnAndMayWait() throws Exception {
    Coroutine<?> caller = Coroutine.current();
    Promise<Integer> derived =
        Promise.completed(1)
            .map(
                n -> {
                  assertNotSame(caller, Coroutine.current());
                  Coroutine.pause();
                  return n + 1;
                });

    assertEquals(2, derived.await());
  }

  @InLoop
  @Test
  void severalRunInTheOrderTheyWereAdded() throws Exception {
    Promise<Integer> source = new Promise<>();
    for (int i = 0; i < 4; i++) {
      int number = i;
      source.onEnd((value, error) -> log.add(number));
    }
    source.complete(1);
    Coroutine.pause();

    assertEquals(List.of(0, 1, 2, 3), log);
  }

  @InLoop
  @Test
  void aFailurePassesAMapAndIsRecoveredFrom() throws Exception {
    IOException cause = new IOException("why");
    Promise<Integer> broken = Promise.<Integer>failed(cause).map(n -> n + 1);
    assertSame(cause, assertThrows(IOException.class, broken::await));

    Promise<Integer> recovered = broken.recover(thrown -> thrown == cause ? 7 : 0);
    assertEquals(7, recovered.await());
    assertEquals(1, Promise.completed(1).recover(thrown -> 2).await());
  }

  @InLoop
  @Test
  void whatAFunctionThrowsBreaksTheDerived() throws Exception {
    Promise<Integer> derived =
        Promise.completed(1)
            .map(
                n -> {
                  throw new IOException("in the function");
                });

    assertThrows(IOException.class, derived::await);
  }

  @InLoop
  @Test
  void anEndHandlerIsToldAndPassesTheOutcomeOn() throws Exception {
    IOException cause = new IOException("why");
    Promise<Integer> kept =
        Promise.completed(1)
            .onEnd(
                (value, error) -> {
                  assertNull(error);
                  log.add(value);
                });
    Promise<Integer> broken =
        Promise.<Integer>failed(cause)
            .onEnd(
                (value, error) -> {
                  assertNull(value);
                  log.add(error);
                });

    assertEquals(1, kept.await());
    assertSame(cause, assertThrows(IOException.class, broken::await));
    assertEquals(List.of(1, cause), log);
  }

  @InLoop
  @Test
  @Behaviour("TA77")
  void aFailingEndHandlerKeepsTheFirstFailureAsItsCause() throws Exception {
    IOException cause = new IOException("why");
    Promise<Integer> broken =
        Promise.<Integer>failed(cause)
            .onEnd(
                (value, error) -> {
                  throw new IllegalStateException("in the handler");
                });

    IllegalStateException thrown = assertThrows(IllegalStateException.class, broken::await);
    assertSame(cause, thrown.getCause());
  }

  @InLoop
  @Test
  void futuresGoInAndOut() throws Exception {
    CompletableFuture<Integer> source = new CompletableFuture<>();
    Promise<Integer> promise = Promise.of(source);
    CompletableFuture<Integer> result = promise.map(n -> n + 1).toFuture();
    Thread.startVirtualThread(() -> source.complete(1));

    assertEquals(1, promise.await());
    assertEquals(2, Promise.of(result).await());
    assertEquals(2, result.join());
  }

  @Test
  void failuresOfFuturesGoInAndOutBare() throws Exception {
    IOException cause = new IOException("why");
    CompletableFuture<Integer> source = new CompletableFuture<>();
    Promise<Integer> promise = Promise.of(source.thenApply(n -> n + 1));
    CompletableFuture<Integer> result = promise.toFuture();

    source.completeExceptionally(cause);

    assertSame(cause, assertThrows(IOException.class, promise::await));
    assertSame(cause, assertThrows(ExecutionException.class, result::get).getCause());
  }

  // ---- failures that nobody looks at

  @Test
  @Behaviour("TA79")
  void aFailureThatNobodyLooksAtIsReportedOnceWithItsOrigin() throws Exception {
    IOException cause = new IOException("unseen");
    try (CapturedLog captured = new CapturedLog()) {
      Loop.run(
          () -> {
            Promise<Integer> promise = new Promise<>();
            promise.fail(cause);
            assertTrue(promise.isDone(), "which is no look at why");
          });
      System.gc();

      assertEquals(1, captured.records().size());
      assertSame(cause, captured.records().getFirst().getThrown());
      String message = captured.messages().getFirst();
      assertTrue(message.contains("PromiseDerivedTest.java"), message);
    }
  }

  @Test
  void whatIsGarbageIsReportedWhileTheLoopRuns() throws Exception {
    try (CapturedLog captured = new CapturedLog()) {
      Loop.run(
          () -> {
            breakOne();
            Garbage.until(() -> !captured.records().isEmpty(), "it is not reported");
          });

      assertEquals(1, captured.records().size());
    }
  }

  private static void breakOne() {
    new Promise<Integer>().fail(new IOException("dropped"));
  }

  @Test
  void whatSomebodyLooksAtIgnoresOrCancelsIsNotReported() throws Exception {
    try (CapturedLog captured = new CapturedLog()) {
      Loop.run(
          () -> {
            Promise<Integer> late = Promise.failed(new IOException("late"));
            Coroutine.pause();
            assertThrows(IOException.class, late::await);

            Promise.failed(new IOException("ignored")).ignore();
            new Promise<Integer>().cancel();
            Promise.failed(new IOException("handled")).onEnd((value, error) -> log.add(error));
            Promise.failed(new IOException("recovered")).recover(error -> 1);
            CompletableFuture<Object> future = Promise.failed(new IOException("future")).toFuture();
            assertTrue(future.isCompletedExceptionally());
            Coroutine.pause();
          });
      System.gc();

      assertEquals(List.of(), captured.messages());
    }
  }

  @Test
  void ofAChainOnlyTheEndIsReported() throws Exception {
    try (CapturedLog captured = new CapturedLog()) {
      Loop.run(
          () -> {
            Promise.<Integer>failed(new IOException("chain")).map(n -> n + 1).map(n -> n + 1);
            Coroutine.pause();
            Coroutine.pause();
          });

      assertEquals(1, captured.records().size(), () -> captured.messages().toString());
    }
  }

  @Test
  void aWaiterThatIsResumedBeforeItSeesTheFailureHasNotLookedAtIt() throws Exception {
    try (CapturedLog captured = new CapturedLog()) {
      Loop.run(
          () -> {
            Promise<Integer> promise = new Promise<>();
            Coroutine<?> waiter =
                Coroutine.spawn(
                    () -> {
                      try {
                        promise.await();
                      } catch (dev.couv.coro.Resumed resumed) {
                        log.addAll(resumed.values());
                      }
                    });
            Coroutine.pause();
            promise.fail(new IOException("unseen"));
            waiter.resume("gone");
          });

      assertEquals(List.of("gone"), log);
      assertEquals(1, captured.records().size());
    }
  }

  @Test
  void oneThatIsDerivedInALoopThatIsShutDownIsDoneAllTheSame() throws Exception {
    Promise<Integer> source = new Promise<>();
    Promise<Integer> derived =
        Loop.run(
            () -> {
              Promise<Integer> made = source.map(value -> value + 1);
              Coroutine.spawn(
                  () ->
                      Coroutine.protect(
                          () -> {
                            Coroutine.pause();
                            source.complete(1);
                          }));
              Coroutine.spawn(() -> Loop.current().shutdown(Duration.ofSeconds(5)));
              return made;
            });

    assertTrue(source.isDone());
    assertTrue(derived.isDone());
    assertThrows(CancellationException.class, derived::await);
  }
}
