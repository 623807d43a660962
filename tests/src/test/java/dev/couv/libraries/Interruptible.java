// SPDX-License-Identifier: Apache-2.0
package dev.couv.libraries;

import dev.couv.coro.Await;
import dev.couv.coro.Cancelled;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/// The recipe of the manual for calls that block, on either engine: as `Loop.offload`, but on a virtual thread, so that an interrupt
/// ends it also in the middle of socket I/O.
final class Interruptible {
  private Interruptible() {}

  static <T> T call(Callable<T> blocking) throws Exception {
    var result = new CompletableFuture<T>();
    Thread thread =
        Thread.startVirtualThread(
            () -> {
              try {
                result.complete(blocking.call());
              } catch (Throwable failure) {
                result.completeExceptionally(failure);
              }
            });
    try {
      return Await.stage(result);
    } catch (Cancelled cancelled) {
      thread.interrupt();
      throw cancelled;
    }
  }
}
