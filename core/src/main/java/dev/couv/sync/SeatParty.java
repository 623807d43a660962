// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.check.TransferCheck;
import dev.couv.loop.EventLoop;
import dev.couv.strand.Seat;
import org.jspecify.annotations.Nullable;

/// A coroutine that waits at one end of a channel, and for other things too. It may be lost to another
/// of those: whoever wants it has to claim its seat.
final class SeatParty<T> extends Party<T> {
  private final Passage<T> passage;
  private final Seat<@Nullable Object> seat;

  SeatParty(
      Passage<T> passage,
      Access via,
      Endpoint endpoint,
      @Nullable T gift,
      EventLoop loop,
      Seat<@Nullable Object> seat) {
    super(via, endpoint, gift, loop);
    this.passage = passage;
    this.seat = seat;
  }

  @Override
  boolean claim() {
    return seat.claim();
  }

  @Override
  boolean isLost() {
    return seat.isLost();
  }

  @Override
  void tell(@Nullable EventLoop here) {
    if (TransferCheck.isChecked() && !isOf(here) && loop().post(() -> tell(loop()))) {
      return; // whether it may have it can only be told there
    }
    deliver(here);
    waitEnded(here);
  }

  /// It was not met, or something else was first. If it was met, its seat gives that back. Loop thread.
  @Override
  void giveUp() {
    if (passage.leave(this)) {
      waitEnded();
    }
  }

  private void deliver(@Nullable EventLoop here) {
    T value = got;
    if (state != State.MET) {
      seat.deliver(null, passage.closedError(via));
    } else if (value == null || endpoint == Endpoint.OUT) {
      seat.deliver(null, null);
    } else if (isOf(here) && TransferCheck.isChecked() && TransferCheck.isForeign(value)) {
      passage.giveBack(value, serial, here);
      seat.deliver(null, TransferCheck.refused(value, via));
    } else {
      seat.note(serial);
      seat.deliver(value, null);
    }
  }
}
