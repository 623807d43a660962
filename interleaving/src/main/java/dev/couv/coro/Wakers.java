// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.interleaving.Looped;

/// Seats of a coroutine on a loop that another thread runs: whoever claims one comes from outside.
final class Wakers {
  private static final Waker WAKER = Looped.FIRST.spawn(Looped.NOTHING).strand().waker();

  private Wakers() {}

  static WakerSeat seat() {
    return new WakerSeat(WAKER);
  }
}
