// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.interleaving.Looped;
import java.util.concurrent.CompletableFuture;

/// Seats of a coroutine on a loop that another thread runs: whoever claims one comes from outside.
final class Wakers {
  private static final Waker WAKER = waker();

  private Wakers() {}

  private static Waker waker() {
    CompletableFuture<Waker> made = new CompletableFuture<>();
    Looped.FIRST.post(() -> made.complete(Strand.current("a test").waker()));
    return made.join();
  }

  static WakerSeat seat() {
    return new WakerSeat(WAKER);
  }
}
