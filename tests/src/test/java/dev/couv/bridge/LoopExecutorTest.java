// SPDX-License-Identifier: Apache-2.0
package dev.couv.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Await;
import dev.couv.coro.Loop;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/// A loop as an executor, for those who ask for one.
final class LoopExecutorTest {
  @Test
  @InLoop
  void tasksAreCoroutinesOfTheLoop() throws Exception {
    LoopExecutor executor = LoopExecutor.of(Loop.current());
    Thread here = Thread.currentThread();
    CompletableFuture<String> answer =
        CompletableFuture.supplyAsync(
                () -> {
                  Time.sleep(Duration.ofMillis(1));
                  return "waited";
                },
                executor)
            .thenApplyAsync(text -> text + " " + (Thread.currentThread() != here), executor);

    assertEquals("waited true", Await.stage(answer));
  }

  @Test
  @InLoop
  void whatATaskThrowsDoesNotEndTheLoop() throws Exception {
    LoopExecutor.of(Loop.current())
        .execute(
            () -> {
              throw new IllegalStateException("of a task");
            });
    Time.sleep(Duration.ofMillis(2));
  }

  @Test
  void aClosedLoopRefuses() {
    Loop loop = Loop.open();
    LoopExecutor executor = LoopExecutor.of(loop);
    loop.close();

    assertThrows(RejectedExecutionException.class, () -> executor.execute(() -> {}));
  }
}
