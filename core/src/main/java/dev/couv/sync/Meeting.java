// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.Kept;
import dev.couv.loop.Line;
import dev.couv.loop.Ring;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Who meets whom at a channel: the values in it, and the lines of those who wait. Guarded by the lock of the
/// [Passage], which tells those who are returned here when it has released the lock.
///
/// What most channels never need is made when it is needed, and not looked at before: where ten thousand channels take turns, each
/// object that one looks at has to be fetched from memory.
final class Meeting<T> {
  // Their classes are loaded here: who holds the lock must not wait for a file.
  static {
    new Ring<>();
    new Kept<>();
  }

  private final int capacity;

  /// How many values there are, given back or not.
  private int held;

  private @Nullable Ring<T> values;

  /// What was given back, in the order it was first taken: older than the values.
  private @Nullable Kept<T> returned;

  /// How many values were taken.
  private long taken;

  private final Line<Party<T>> takers = new Line<>();
  private final Line<Party<T>> givers = new Line<>();
  private @Nullable Line<Party<T>> anyone;

  Meeting(int capacity) {
    this.capacity = capacity;
  }

  // ---- coming: the party's state says whether it met somebody; who is returned is to be told

  @Nullable Party<T> give(Party<T> giver) {
    Party<T> taker = partner(giver, takers);
    if (taker == null) {
      taker = partner(giver, anyone);
    }
    if (taker == null && giver.gift != null && held < capacity) {
      keep(giver.gift);
      giver.state = giver.state.meet();
    }
    return taker;
  }

  @Nullable Party<T> take(Party<T> taker) {
    if (held > 0) {
      if (returned != null && !givers.isEmpty()) {
        // For a giver's, before anybody meets: what was given back had none there.
        room().makeRoom();
      }
      takeHeld(taker);
      return refill();
    }
    Party<T> giver = partner(taker, givers);
    return giver == null ? partner(taker, anyone) : giver;
  }

  /// Puts the value to the others, if there is a place and nobody waits for one. False if not.
  boolean put(T value) {
    boolean fits = held < capacity && takers.isEmpty() && (anyone == null || anyone.isEmpty());
    if (fits) {
      keep(value);
    }
    return fits;
  }

  /// Takes the oldest value, if it is there and nobody waits for its place. Null if not.
  @Nullable T takeAlone() {
    boolean alone = held > 0 && givers.isEmpty() && (returned == null || returned.isEmpty());
    T value = alone && values != null ? values.poll() : null;
    if (value != null) {
      held--;
      taken++;
    }
    return value;
  }

  /// The oldest of the values, of which there are some.
  private void takeHeld(Party<T> taker) {
    held--;
    Kept.Item<T> oldest = returned == null ? null : returned.take();
    if (oldest != null) {
      taker.meets(oldest.value(), oldest.serial());
    } else {
      taker.meets(room().poll(), ++taken);
    }
  }

  private void keep(T value) {
    room().add(value);
    held++;
  }

  private Ring<T> room() {
    if (values == null) {
      values = new Ring<>();
    }
    return values;
  }

  @Nullable Party<T> exchange(Party<T> party) {
    Party<T> other = take(party);
    return other == null && party.state == Party.State.APART ? partner(party, takers) : other;
  }

  /// The oldest taker gets the value, which a party had that left. If there is none, it goes to the front, where
  /// several that come back keep their order: `serial` is that of the party.
  @Nullable Party<T> giveBack(T value, long serial) {
    Party<T> taker = firstOf(takers, value);
    if (taker == null) {
      taker = firstOf(anyone, value);
    }
    if (taker != null) {
      taker.serial = serial;
      return taker;
    }
    if (returned == null) {
      returned = new Kept<>();
    }
    returned.add(value, serial);
    held++;
    return null;
  }

  /// A place is free: the oldest giver that waits for one puts its value there.
  private @Nullable Party<T> refill() {
    if (held >= capacity) {
      return null;
    }
    Party<T> giver = firstOf(givers, null);
    if (giver != null && giver.gift != null) {
      keep(giver.gift);
    }
    return giver;
  }

  private @Nullable Party<T> partner(Party<T> party, @Nullable Line<Party<T>> line) {
    Party<T> other = firstOf(line, party.gift);
    if (other != null) {
      party.meets(other.gift, ++taken);
    }
    return other;
  }

  /// The oldest of the line that can still be had: it gets the gift. Members of a select that cannot be had
  /// stay if their coroutine looks again. Those of one that is decided do not stand in the way of others
  /// until it has taken them away.
  private @Nullable Party<T> firstOf(@Nullable Line<Party<T>> line, @Nullable T gift) {
    if (line == null) {
      return null;
    }
    for (Party<T> next = line.first(); next != null; ) {
      Party<T> party = next;
      next = line.next(party);
      if (party.isLost()) {
        line.remove(party);
      } else if (party.claim()) {
        line.remove(party);
        party.meets(gift, ++taken);
        return party;
      }
    }
    return null;
  }

  // ---- waiting

  void join(Party<T> party) {
    party.state = party.state.join();
    line(party.endpoint).add(party);
  }

  /// False if it does not wait.
  boolean leave(Party<T> party) {
    if (party.state != Party.State.WAITING) {
      return false;
    }
    line(party.endpoint).remove(party);
    party.state = party.state.leave();
    return true;
  }

  /// Sends those away who wait and can still be had.
  List<Party<T>> refuse(Predicate<Party<T>> which) {
    List<Party<T>> refused = new ArrayList<>();
    for (Line<Party<T>> line : lines()) {
      refused.addAll(line.takeIf(party -> which.test(party) && party.claim()));
    }
    refused.forEach(party -> party.state = party.state.refuse());
    return refused;
  }

  /// Of those who wait.
  void forEach(Consumer<Party<T>> action) {
    for (Line<Party<T>> line : lines()) {
      line.list().forEach(action);
    }
  }

  private Line<Party<T>> line(Endpoint endpoint) {
    return switch (endpoint) {
      case IN -> takers;
      case OUT -> givers;
      case ANY -> {
        if (anyone == null) {
          anyone = new Line<>();
        }
        yield anyone;
      }
    };
  }

  private List<Line<Party<T>>> lines() {
    return anyone == null ? List.of(takers, givers) : List.of(takers, givers, anyone);
  }

  // ---- looking

  ChanStats stats(boolean isClosed) {
    int both = anyone == null ? 0 : anyone.size();
    return new ChanStats(capacity, held, givers.size() + both, takers.size() + both, isClosed);
  }
}
