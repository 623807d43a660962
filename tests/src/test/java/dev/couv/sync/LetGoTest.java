// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Awaitable;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// What is derived from something that lives long, and is cancelled, is not kept by it.
class LetGoTest {
  private final Promise<Object> source = new Promise<>().ignore();
  private final List<Object> log = new ArrayList<>();

  @Test
  void aPromiseLetsGoOfWhatWasMappedFromIt() throws Exception {
    assertLetGo(big -> source.map(value -> big).cancel());
  }

  @Test
  void aPromiseLetsGoOfWhatWouldRecoverFromIt() throws Exception {
    assertLetGo(big -> source.recover(value -> big).cancel());
  }

  @Test
  void aPromiseLetsGoOfAHandlerWhoseOwnPromiseIsDone() throws Exception {
    assertLetGo(big -> source.onEnd((value, thrown) -> log.add(big)).cancel());
    assertLetGo(big -> source.onEnd((value, thrown) -> log.add(big)).complete("done"));
  }

  @Test
  void aPromiseLetsGoOfAFuture() throws Exception {
    assertLetGo(
        big -> {
          CompletableFuture<Object> future = source.toFuture();
          future.whenComplete((value, thrown) -> log.add(big.length));
          return future.cancel(false);
        });
  }

  @Test
  void aFutureLetsGoOfThePromiseThatFollowsIt() throws Exception {
    CompletableFuture<Object> future = new CompletableFuture<>();
    assertLetGo(
        big -> {
          Promise<Object> following = Promise.of(future);
          following.onEnd((value, thrown) -> log.add(big.length));
          return following.cancel();
        });
    assertEquals(0, future.getNumberOfDependents());
  }

  @Test
  void aMinimalStageLetsGoOfWhoAwaitedIt() throws Exception {
    CompletableFuture<Object> future = new CompletableFuture<>();
    CompletionStage<Object> stage = future.minimalCompletionStage();
    assertLetGo(
        big -> {
          Coroutine<?> waiting =
              Coroutine.spawn(
                  () -> {
                    Await.stage(stage);
                    log.add(big);
                  });
          Coroutine.pause();
          boolean cancelled = waiting.cancel();
          Coroutine.pause();
          return cancelled;
        });
  }

  @Test
  void aMinimalStageIsAwaitedLikeAnyOther() throws Exception {
    CompletableFuture<Object> future = new CompletableFuture<>();
    Loop.run(
        () -> {
          Coroutine<?> waiting =
              Coroutine.spawn(() -> log.add(Await.stage(future.minimalCompletionStage())));
          Coroutine.pause();
          future.complete("late");
          waiting.await();
          log.add(Await.stage(future.minimalCompletionStage()));
          Awaitable<Object> failed =
              Await.from(CompletableFuture.failedStage(new IllegalStateException("broken")));
          assertThrows(IllegalStateException.class, failed::await);
          CompletableFuture<Object> cancelled = new CompletableFuture<>();
          cancelled.cancel(false);
          assertThrows(
              CancellationException.class, () -> Await.stage(cancelled.minimalCompletionStage()));
        });

    assertEquals(List.of("late", "late"), log);
  }

  @Test
  void manyWaitsForOneFutureAreOneThingToIt() throws Exception {
    CompletableFuture<Object> future = new CompletableFuture<>();
    Loop.run(
        () -> {
          List<Coroutine<?>> waiting = new ArrayList<>();
          for (int i = 0; i < 100; i++) {
            waiting.add(Coroutine.spawn(() -> log.add(Await.stage(future))));
          }
          Promise<Object> following = Promise.of(future);
          Coroutine.pause();

          assertEquals(1, future.getNumberOfDependents());
          waiting.removeLast().cancel();
          future.complete(1);
          Await.all(waiting);
          assertEquals(1, following.await());
        });

    assertEquals(99, log.size());
  }

  @Test
  void aFutureThatNobodyCanCompleteIsNotKeptForThePromiseThatFollowsIt() throws Exception {
    assertLetGo(
        big -> {
          CompletableFuture<Object> future = new CompletableFuture<>();
          Promise.of(future).onEnd((value, thrown) -> log.add(big.length));
          return future.getNumberOfDependents() == 1;
        });
  }

  /// `derive` makes something of what would be kept, and cancels it.
  private void assertLetGo(Function<byte[], Boolean> derive) throws Exception {
    Loop.run(() -> Garbage.assertCollected(derived(derive)));
    Reference.reachabilityFence(source);
  }

  private static Reference<?> derived(Function<byte[], Boolean> derive) {
    byte[] big = new byte[1 << 16];
    assertTrue(derive.apply(big));
    return new WeakReference<>(big);
  }
}
