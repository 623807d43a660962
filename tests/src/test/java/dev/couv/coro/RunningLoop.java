// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// An embedded loop that runs on a thread of its own until it is closed.
final class RunningLoop implements AutoCloseable {
  final Loop loop = Loop.open();
  final Thread thread;

  private final CompletableFuture<Void> stop = new CompletableFuture<>();
  private final FutureTask<Void> run;

  RunningLoop() throws Exception {
    CompletableFuture<Void> begun = new CompletableFuture<>();
    run =
        new FutureTask<>(
            () -> {
              try (loop) {
                loop.spawn(
                        () -> {
                          begun.complete(null);
                          Loop.offload(stop::get);
                          loop.halt();
                        })
                    .named("stop");
                loop.run(Mode.LOOP);
                return null;
              }
            });
    thread = Thread.ofPlatform().name("loop under test").start(run);
    begun.get(60, TimeUnit.SECONDS);
  }

  /// Returns when the loop has gone through what was posted to it before.
  void turn() throws InterruptedException, ExecutionException, TimeoutException {
    loop.submit(() -> null).get(60, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    stop.complete(null);
    try {
      run.get(60, TimeUnit.SECONDS);
      thread.join();
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
