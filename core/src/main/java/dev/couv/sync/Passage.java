// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.error.ClosedException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Line;
import dev.couv.loop.SpinLock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Where the two ends of a channel meet: the values in it, and the lines of those who wait. Several
/// [Chan]s are ways to one passage if it is a named one.
///
/// ## Meeting
///
/// Whoever comes looks for a partner under the lock, and else joins the line of its end. So a match, a
/// cancellation and a close are decided one after the other, each exactly once, whatever threads they
/// are on; those who have to be told are told after the lock is released. What a party was given is
/// its own from the match on: nobody else can take it. If the party leaves without it, it goes to the
/// oldest other taker, or to the front of the values.
///
/// ## Who keeps a loop running
///
/// A passage has a home, the loop in which it was made, until somebody else comes to it: another loop, a
/// plain thread. From then on it is shared, and so are named ones and those made outside of a
/// coroutine. A wait at a shared one keeps the loop running, because somebody outside may end it. A
/// wait at one that is not shared yet does not by itself: see `dev.couv.coro.Outsiders`.
final class Passage<T> {
  /// Within half the clock's range: deadlines are compared by their difference.
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  private final SpinLock lock = new SpinLock();

  // Immutable.
  private final ChanOptions options;
  private final @Nullable EventLoop home;
  private final long noProducerNanos;
  private final long noConsumerNanos;

  // Guarded by the lock.
  private final ArrayDeque<T> values = new ArrayDeque<>(4);

  /// What was given back, in the order it was first taken: older than the values.
  private final ArrayList<Returned<T>> returned = new ArrayList<>(0);

  /// How many values were taken.
  private long taken;

  private final Line<Party<T>> takers = new Line<>();
  private final Line<Party<T>> givers = new Line<>();
  private final Line<Party<T>> anyone = new Line<>();
  private long lastGiven;
  private long lastTaken;

  // Only under the check of transfers: who was here last.
  private boolean visited;
  private @Nullable EventLoop visitor;

  // Written under the lock.
  private volatile boolean mixed;
  private volatile boolean shared;
  private volatile @Nullable Closure closure;

  /// Why it is closed: somebody closed it, with a reason perhaps, or it closed itself.
  private record Closure(String words, @Nullable Throwable reason) {}

  private record Returned<T>(T value, long serial) {}

  Passage(ChanOptions options, @Nullable EventLoop home) {
    this.options = options;
    this.home = home;
    this.shared = home == null || options.isShared();
    this.noProducerNanos = nanos(options.noProducerTimeout());
    this.noConsumerNanos = nanos(options.noConsumerTimeout());
    this.lastGiven = home == null ? System.nanoTime() : home.clock();
    this.lastTaken = lastGiven;
  }

  private static long nanos(@Nullable Duration timeout) {
    if (timeout == null) {
      return 0;
    }
    return timeout.compareTo(LONGEST) < 0 ? timeout.toNanos() : LONGEST.toNanos();
  }

  // ---- coming and going

  /// The party meets somebody, or is refused, and then true; else it joins the line.
  boolean enter(Party<T> party, @Nullable EventLoop here) {
    return meet(party, here, true);
  }

  /// Likewise, but without joining the line: false if there is nobody.
  boolean attempt(Party<T> party, @Nullable EventLoop here) {
    return meet(party, here, false);
  }

  private boolean meet(Party<T> party, @Nullable EventLoop here, boolean stays) {
    Party<T> told;
    boolean opened;
    boolean decided;
    lock.lock();
    try {
      opened = visit(here);
      told =
          switch (party.endpoint) {
            case IN -> take(party);
            case OUT -> give(party);
            case ANY -> exchange(party);
          };
      if (party.state == Party.State.APART) {
        if (party.via.isReleased() || closure != null) {
          party.state = Party.State.REFUSED;
        } else if (stays) {
          join(party);
        }
      } else if (noProducerNanos + noConsumerNanos > 0) {
        noteTraffic(party, here);
      }
      // Later it is not ours to look at: one that waits may be met by then, and is told of that.
      decided = party.state != Party.State.WAITING && party.state != Party.State.APART;
    } finally {
      lock.unlock();
    }
    if (opened) {
      tellHome();
    }
    if (told != null) {
      told.tell(here);
    }
    return decided;
  }

  /// Joins the line without looking: for a member of a select, whose coroutine looks.
  void join(Party<T> party, @Nullable EventLoop here) {
    boolean opened;
    lock.lock();
    try {
      opened = visit(here);
      join(party);
    } finally {
      lock.unlock();
    }
    if (opened) {
      tellHome();
    }
  }

  private void join(Party<T> party) {
    party.state = Party.State.WAITING;
    line(party).add(party);
  }

  /// The party wants to go without having met anybody: false if it is too late.
  boolean leave(Party<T> party) {
    lock.lock();
    try {
      if (party.state != Party.State.WAITING) {
        return false;
      }
      line(party).remove(party);
      party.state = Party.State.LEFT;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// The party met somebody and leaves without what it got: that goes to the oldest other taker, or
  /// back to the front. What it gave stays given.
  void giveBack(Party<T> party, @Nullable EventLoop here) {
    lock.lock();
    boolean takes;
    try {
      takes = party.state == Party.State.MET && party.endpoint != Endpoint.OUT;
      party.state = Party.State.LEFT;
    } finally {
      lock.unlock();
    }
    if (takes && party.got != null) {
      giveBack(party.got, party.serial, here);
    }
  }

  /// `serial` is that of the party which had it. Several that are given back keep their order.
  void giveBack(T value, long serial, @Nullable EventLoop here) {
    Party<T> told;
    lock.lock();
    try {
      told = firstOf(takers, value);
      if (told == null) {
        told = firstOf(anyone, value);
      }
      if (told == null) {
        int place = returned.size();
        while (place > 0 && returned.get(place - 1).serial > serial) {
          place--;
        }
        returned.add(place, new Returned<>(value, serial));
      } else {
        told.serial = serial;
      }
    } finally {
      lock.unlock();
    }
    if (told != null) {
      told.tell(here);
    }
  }

  // ---- meeting, under the lock: each returns who is to be told

  private @Nullable Party<T> give(Party<T> giver) {
    if (closure != null || giver.via.isReleased()) {
      return null;
    }
    Party<T> taker = partner(giver, takers);
    if (taker == null) {
      taker = partner(giver, anyone);
    }
    if (taker == null && giver.gift != null && held() < options.capacity()) {
      values.add(giver.gift);
      giver.state = Party.State.MET;
    }
    return taker;
  }

  private @Nullable Party<T> take(Party<T> taker) {
    if (taker.via.isReleased()) {
      return null;
    }
    if (!returned.isEmpty()) {
      Returned<T> oldest = returned.removeFirst();
      taker.got = oldest.value;
      taker.serial = oldest.serial;
      taker.state = Party.State.MET;
      return refill();
    }
    T value = values.poll();
    if (value != null) {
      taker.got = value;
      taker.serial = ++taken;
      taker.state = Party.State.MET;
      return refill();
    }
    Party<T> giver = partner(taker, givers);
    return giver == null ? partner(taker, anyone) : giver;
  }

  private @Nullable Party<T> exchange(Party<T> party) {
    Party<T> other = take(party);
    return other == null && party.state == Party.State.APART ? partner(party, takers) : other;
  }

  private int held() {
    return returned.size() + values.size();
  }

  /// A place is free: the oldest giver that waits for one puts its value there.
  private @Nullable Party<T> refill() {
    if (held() >= options.capacity()) {
      return null;
    }
    Party<T> giver = firstOf(givers, null);
    if (giver != null && giver.gift != null) {
      values.add(giver.gift);
    }
    return giver;
  }

  private @Nullable Party<T> partner(Party<T> party, Line<Party<T>> line) {
    Party<T> other = firstOf(line, party.gift);
    if (other != null) {
      party.got = other.gift;
      party.serial = ++taken;
      party.state = Party.State.MET;
    }
    return other;
  }

  /// The oldest of the line that can still be had: it gets the gift. Members of a select that cannot be had
  /// stay if their coroutine looks again. Those of one that is decided do not stand in the way of others
  /// until it has taken them away.
  private @Nullable Party<T> firstOf(Line<Party<T>> line, @Nullable T gift) {
    for (Party<T> next = line.first(); next != null; ) {
      Party<T> party = next;
      next = line.next(party);
      if (party.isLost()) {
        line.remove(party);
      } else if (party.claim()) {
        line.remove(party);
        party.got = gift;
        party.serial = ++taken;
        party.state = Party.State.MET;
        return party;
      }
    }
    return null;
  }

  private Line<Party<T>> line(Party<T> party) {
    return switch (party.endpoint) {
      case IN -> takers;
      case OUT -> givers;
      case ANY -> anyone;
    };
  }

  // ---- closing

  /// Nobody can send any more; what is in it can still be received. Does nothing the second time.
  void close(String words, @Nullable Throwable reason, @Nullable EventLoop here) {
    List<Party<T>> refused;
    boolean opened;
    lock.lock();
    try {
      opened = visit(here);
      refused = shut(words, reason);
    } finally {
      lock.unlock();
    }
    if (opened) {
      tellHome();
    }
    refused.forEach(party -> party.tell(here));
  }

  /// Under the lock; returns who is to be told.
  private List<Party<T>> shut(String words, @Nullable Throwable reason) {
    if (closure != null) {
      return List.of();
    }
    closure = new Closure(words, reason);
    return refuse(party -> true);
  }

  /// Sends away those who came that way.
  void release(Chan<T> via, @Nullable EventLoop here) {
    List<Party<T>> refused;
    boolean opened;
    lock.lock();
    try {
      opened = visit(here);
      via.markReleased();
      refused = refuse(party -> party.via == via);
    } finally {
      lock.unlock();
    }
    if (opened) {
      tellHome();
    }
    refused.forEach(party -> party.tell(here));
  }

  private List<Party<T>> refuse(Predicate<Party<T>> which) {
    List<Party<T>> refused = new ArrayList<>();
    for (Line<Party<T>> line : List.of(takers, givers, anyone)) {
      for (Party<T> party = line.first(); party != null; ) {
        Party<T> next = line.next(party);
        if (which.test(party) && party.claim()) {
          line.remove(party);
          party.state = Party.State.REFUSED;
          refused.add(party);
        }
        party = next;
      }
    }
    return refused;
  }

  ClosedException closedError(Chan<T> via) {
    Closure known = closure;
    if (known == null) {
      return new ClosedException(via + " is closed");
    }
    ClosedException error = new ClosedException(via + known.words);
    error.initCause(known.reason);
    return error;
  }

  boolean isClosed() {
    return closure != null;
  }

  @Nullable Throwable reason() {
    Closure known = closure;
    return known == null ? null : known.reason;
  }

  // ---- who may come

  /// Somebody is here. The first who is not of the home loop makes it shared: then true, and the home is
  /// to be told, after the lock is released.
  private boolean visit(@Nullable EventLoop here) {
    if (Transfer.isChecked()) {
      mixed |= visited && visitor != here;
      visited = true;
      visitor = here;
    }
    if (shared || here == home) {
      return false;
    }
    shared = true;
    return true;
  }

  private void tellHome() {
    if (home != null) {
      home.post(this::recount);
    }
  }

  /// Those of the home loop who wait already may be met from outside now. The home's thread.
  private void recount() {
    lock.lock();
    try {
      for (Line<Party<T>> line : List.of(takers, givers, anyone)) {
        for (Party<T> party = line.first(); party != null; party = line.next(party)) {
          if (party instanceof LoopParty<T> coroutine && coroutine.loop == home) {
            party.recount();
          }
        }
      }
    } finally {
      lock.unlock();
    }
  }

  boolean isShared() {
    return shared;
  }

  /// Whether it is known that others than the caller's loop, or than plain threads, use it or will; told
  /// only under the check of [Transfer].
  boolean isUsedBeside(@Nullable EventLoop here) {
    lock.lock();
    try {
      return options.isShared() || mixed || (visited && visitor != here);
    } finally {
      lock.unlock();
    }
  }

  // ---- patience

  /// How long a party at that end waits for the other before the channel closes itself; 0 is for ever.
  long patience(Endpoint endpoint) {
    return switch (endpoint) {
      case IN -> noProducerNanos;
      case OUT -> noConsumerNanos;
      case ANY -> 0;
    };
  }

  /// The party has waited since then. Closes the channel if nobody came to the other end for too long;
  /// returns how long there still is to wait if not, or 0 if it does not wait any more.
  long starve(Party<T> party, long since, long now, @Nullable EventLoop here) {
    long patience = patience(party.endpoint);
    String who = party.endpoint == Endpoint.IN ? "no producer" : "no consumer";
    @Nullable TimeoutException reason = null;
    while (true) {
      List<Party<T>> refused = List.of();
      long left;
      lock.lock();
      try {
        if (party.state != Party.State.WAITING) {
          return 0;
        }
        long last = party.endpoint == Endpoint.IN ? lastGiven : lastTaken;
        left = (last - since > 0 ? last : since) + patience - now;
        if (left <= 0 && reason != null) {
          // Looked and closed in one step: whoever came meanwhile is not sent away.
          refused = shut(" closed itself: " + reason.getMessage(), reason);
        }
      } finally {
        lock.unlock();
      }
      if (left > 0 || reason != null) {
        refused.forEach(waiting -> waiting.tell(here));
        return left;
      }
      reason = new TimeoutException(who + " within " + Duration.ofNanos(patience));
    }
  }

  private void noteTraffic(Party<T> party, @Nullable EventLoop here) {
    long now = here == null ? System.nanoTime() : here.clock();
    if (party.endpoint != Endpoint.IN) {
      lastGiven = now;
    }
    if (party.endpoint != Endpoint.OUT) {
      lastTaken = now;
    }
  }

  // ---- looking inside

  ChanStats stats() {
    lock.lock();
    try {
      return new ChanStats(
          options.capacity(),
          held(),
          givers.size() + anyone.size(),
          takers.size() + anyone.size(),
          closure != null);
    } finally {
      lock.unlock();
    }
  }
}
