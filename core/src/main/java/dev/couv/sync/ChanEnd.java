// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.check.TransferCheck;
import dev.couv.coro.Awaitable;
import dev.couv.strand.Seat;
import dev.couv.strand.Selectable;
import dev.couv.strand.Suspension;
import org.jspecify.annotations.Nullable;

/// One end of a channel, to be awaited together with other things: it takes, or gives, only if it
/// wins.
///
/// Any number of coroutines may use it at once, of any loops.
final class ChanEnd<T, R extends @Nullable Object> implements Awaitable<R>, Selectable<R> {
  private final Chan<T> chan;
  private final Passage<T> passage;
  private final Access access;
  private final Endpoint endpoint;
  private final @Nullable T gift;

  ChanEnd(Chan<T> chan, Passage<T> passage, Access access, Endpoint endpoint, @Nullable T gift) {
    this.chan = chan;
    this.passage = passage;
    this.access = access;
    this.endpoint = endpoint;
    this.gift = gift;
  }

  @Override
  @SuppressWarnings("unchecked") // who takes gets a T, who gives gets null
  public boolean poll(Seat<R> seat) {
    Party<T> attempt = new Party<>(access, endpoint, gift, null);
    if (!passage.attempt(attempt, Suspension.loopOrNull())) {
      return false;
    }
    seat.note(attempt.serial);
    T got = attempt.got;
    if (got != null && TransferCheck.isChecked() && TransferCheck.isForeign(got)) {
      passage.giveBack(got, attempt.serial, Suspension.loopOrNull());
      seat.receive(null, TransferCheck.refused(got, access));
    } else if (attempt.state == Party.State.MET) {
      seat.receive(endpoint == Endpoint.IN ? (R) got : null, null);
    } else {
      seat.receive(null, passage.closedError(access));
    }
    return true;
  }

  @Override
  @SuppressWarnings("unchecked") // it is given what poll would have told
  public void enlist(Seat<R> seat) {
    var loop = Suspension.loop(toString());
    SeatParty<T> party =
        new SeatParty<>(
            passage, access, endpoint, gift, loop, (Seat<@Nullable Object>) (Seat<?>) seat);
    seat.place(party);
    passage.join(party, loop);
  }

  @Override
  public void withdraw(Seat<R> seat) {
    if (seat.place() instanceof SeatParty<?> party) {
      party.giveUp();
    }
  }

  @Override
  @SuppressWarnings("unchecked") // what was taken is a T
  public void surrender(Seat<R> seat, @Nullable R value, @Nullable Throwable error) {
    if (endpoint == Endpoint.IN && value != null) {
      passage.giveBack(
          (T) value, seat.note() instanceof Long serial ? serial : 0, Suspension.loopOrNull());
    }
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // as poll
  public R await() {
    if (endpoint == Endpoint.IN) {
      return (R) chan.receive();
    }
    chan.await(endpoint, gift);
    return null;
  }

  @Override
  public String toString() {
    return Party.words(access, endpoint);
  }
}
