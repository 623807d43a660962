// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.EventLoop;
import org.jspecify.annotations.Nullable;

/// Somebody who waits at a channel, and only remembers how often he was told.
final class Waiting extends Party<Integer> {
  private volatile int told;

  Waiting(Access via, Endpoint endpoint, @Nullable Integer gift) {
    super(via, endpoint, gift, null);
  }

  @Override
  synchronized void tell(@Nullable EventLoop here) {
    told++;
  }

  /// Every race ends the same: he was told once, or has left.
  String end() {
    return state + " " + told + (got == null ? "" : " " + got);
  }
}
