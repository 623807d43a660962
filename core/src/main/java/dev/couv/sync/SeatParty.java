// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Seat;
import dev.couv.loop.EventLoop;
import org.jspecify.annotations.Nullable;

/// A coroutine that waits at one end of a channel, and for other things too. It may be lost to another
/// of those: whoever wants it has to claim its seat.
final class SeatParty<T> extends LoopParty<T> {
  private final Seat<@Nullable Object> seat;

  SeatParty(
      Chan<T> via,
      Endpoint endpoint,
      @Nullable T gift,
      EventLoop loop,
      Seat<@Nullable Object> seat) {
    super(via, endpoint, gift, loop);
    this.seat = seat;
  }

  @Override
  boolean claim() {
    return seat.claim();
  }

  @Override
  void tell(@Nullable EventLoop here) {
    if (here == loop) {
      waitEnded();
    } else {
      loop.post(this::waitEnded); // a closed loop counts no more
    }
    if (state == State.MET) {
      seat.note(serial);
      seat.deliver(endpoint == Endpoint.OUT ? null : got, null);
    } else {
      seat.deliver(null, via.passage().closedError(via));
    }
  }
}
