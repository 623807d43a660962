// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.interleaving.Looped;
import java.util.concurrent.CompletableFuture;

/// Seats of a coroutine on a loop that another thread runs: whoever claims one comes from outside.
final class Wakers {
  private static final Waker WAKER = waker();

  private Wakers() {}

  private static Waker waker() {
    Asking asking = new Asking(new CompletableFuture<>());
    Looped.FIRST.post(asking);
    return asking.made.join();
  }

  static WakerSeat seat() {
    return new WakerSeat(WAKER);
  }

  /// No lambda: that would be code of the class that is being initialised, and wait for it.
  private record Asking(CompletableFuture<Waker> made) implements Runnable {
    @Override
    public void run() {
      made.complete(Strand.current("a test").waker());
    }
  }
}
