// SPDX-License-Identifier: Apache-2.0
package dev.couv.bridge;

import dev.couv.coro.Loop;
import dev.couv.pool.LoopPool;
import java.util.concurrent.CompletableFuture;

/// A loop that a thread of its own runs until it is closed.
final class RunningLoop implements AutoCloseable {
  private final LoopPool pool = LoopPool.open(1);
  private final Loop loop;

  RunningLoop() {
    CompletableFuture<Loop> known = new CompletableFuture<>();
    var _ = pool.submit(() -> known.complete(Loop.current()));
    loop = known.join();
  }

  Loop loop() {
    return loop;
  }

  @Override
  public void close() {
    pool.cancel();
    pool.close();
  }
}
