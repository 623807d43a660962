// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.check.TransferCheck;
import dev.couv.error.ClosedException;
import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Exhibit;
import dev.couv.loop.Exhibits;
import dev.couv.loop.SpinLock;
import dev.couv.loop.TimerEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Where the two ends of a channel meet: several [Chan]s are ways to one passage if it is a named one.
///
/// ## Meeting
///
/// Whoever comes looks for a partner under the lock, and else joins the line of its end. So a match, a
/// cancellation and a close are decided one after the other, each exactly once, whatever threads they
/// are on; those who have to be told are told after the lock is released. What a party was given is
/// its own from the match on: nobody else can take it. If the party leaves without it, it goes to the
/// oldest other taker, or to the front of the values. Who meets whom is [Meeting]'s.
///
/// ## Who keeps a loop running
///
/// A passage has a home, the loop in which it was made, until somebody else comes to it: another loop, a
/// plain thread. From then on it is shared, and so are named ones and those made outside of a
/// coroutine. A wait at a shared one keeps the loop running, because somebody outside may end it. A
/// wait at one that is not shared yet does not by itself: see `dev.couv.coro.Outsiders`.
final class Passage<T> implements Exhibit {
  /// Whose coroutines were here: those of one loop, or plain threads, or several of these.
  ///
  /// ```
  ///          visit       visit by another
  ///   NOBODY ─────▶ ONE ─────────────────▶ SEVERAL
  /// ```
  @CheckReturnValue
  private enum Visitors {
    NOBODY,
    ONE,
    SEVERAL;

    Visitors visit(boolean byTheSame) {
      return switch (this) {
        case NOBODY -> ONE;
        case ONE -> byTheSame ? ONE : SEVERAL;
        case SEVERAL -> SEVERAL;
      };
    }
  }

  private final SpinLock lock = new SpinLock();

  // Immutable.
  private final @Nullable String name;
  private final ChanOptions options;
  private final @Nullable EventLoop home;
  private final boolean limited;
  private final boolean roomy;
  private final @Nullable Runnable onWait;

  // Guarded by the lock.
  private final Meeting<T> meeting;
  private final Patience patience;

  // Only under the check of transfers: who was here, and who was last. Guarded by the lock.
  private Visitors visitors = Visitors.NOBODY;
  private @Nullable EventLoop visitor;

  // Written under the lock.
  private volatile boolean shared;
  private volatile @Nullable Closure closure;

  /// Why it is closed: somebody closed it, with a reason perhaps, or it closed itself.
  private record Closure(String words, @Nullable Throwable reason) {}

  Passage(ChanOptions options, @Nullable EventLoop home, @Nullable String name) {
    this.name = name;
    this.options = options;
    this.home = home;
    this.shared = home == null || options.isShared();
    this.meeting = new Meeting<>(options.capacity());
    this.patience = new Patience(options, now(home));
    this.limited = patience.isLimited();
    this.roomy = options.capacity() > 0 && name == null && !limited;
    this.onWait = options.onWait();
    Exhibits.showIfWatched(this);
  }

  private static long now(@Nullable EventLoop here) {
    return here == null ? System.nanoTime() : here.clock();
  }

  // ---- what is at hand: quicker than to come, to meet and to go

  /// Whether it may be that all there is to do is to put a value into it, or to take one out.
  boolean hasRoom() {
    return roomy && !TransferCheck.isChecked();
  }

  /// Puts the value to the others, if there is a place and nobody is to be told. Else false, and it is for [#enter] to say what becomes of it.
  boolean put(T value, @Nullable EventLoop here) {
    if (!isKnown(here)) {
      return false;
    }
    try (var _ = lock.hold()) {
      return closure == null && meeting.put(value);
    }
  }

  /// Takes the oldest value, if there is one and nobody is to be told. Else null.
  @Nullable T take(@Nullable EventLoop here) {
    if (!isKnown(here)) {
      return null;
    }
    try (var _ = lock.hold()) {
      return meeting.takeAlone();
    }
  }

  /// Whether it makes no difference that somebody is here: see [#visit].
  private boolean isKnown(@Nullable EventLoop here) {
    return shared || here == home;
  }

  // ---- coming and going

  /// The party meets somebody, or is refused, and then true; else it joins the line, and waits.
  boolean enter(Party<T> party, @Nullable EventLoop here) {
    if (meet(party, here, true)) {
      return true;
    }
    waits(party);
    return false;
  }

  /// The party meets somebody, or is refused; false if there is nobody. It does not join the line.
  boolean attempt(Party<T> party, @Nullable EventLoop here) {
    return meet(party, here, false);
  }

  private boolean meet(Party<T> party, @Nullable EventLoop here, boolean stays) {
    Party<T> told;
    boolean opened;
    boolean decided;
    try (var _ = lock.hold()) {
      opened = visit(here);
      boolean released = name != null && party.via.isReleased(); // the others are only closed
      told = released ? null : met(party);
      // Later it is not ours to look at: one that waits may be met by then, and is told of that.
      decided = true;
      if (party.state == Party.State.MET) {
        if (limited) {
          patience.met(party.endpoint, now(here));
        }
      } else if (released || closure != null) {
        party.state = party.state.refuse();
      } else {
        decided = false;
        if (stays) {
          meeting.join(party);
        }
      }
    }
    tellHome(opened);
    if (told != null) {
      told.tell(here);
    }
    return decided;
  }

  private @Nullable Party<T> met(Party<T> party) {
    return switch (party.endpoint) {
      case IN -> meeting.take(party);
      case OUT -> closure == null ? meeting.give(party) : null;
      case ANY -> meeting.exchange(party);
    };
  }

  /// Joins the line without looking: for a member of a select, whose coroutine looks.
  void join(Party<T> party, @Nullable EventLoop here) {
    boolean opened;
    try (var _ = lock.hold()) {
      opened = visit(here);
      meeting.join(party);
    }
    tellHome(opened);
    waits(party);
  }

  /// The party has joined the line, and waits from now on; who wants to know of it is told. After the lock is released, because that one
  /// may come back here, and meet whoever has joined. If he throws, the party does not wait. On the thread of the party.
  private void waits(Party<T> party) {
    if (!party.isOf(null)) {
      party.waitStarted(shared);
      long nanos = limited ? patience(party.endpoint) : 0;
      if (nanos > 0) {
        party.limit(new Starvation(party), nanos);
      }
    }
    if (onWait == null) {
      return;
    }
    try {
      onWait.run();
    } catch (Throwable thrown) {
      party.giveUp();
      throw thrown;
    }
  }

  /// The party wants to go without having met anybody: false if it is too late.
  boolean leave(Party<T> party) {
    try (var _ = lock.hold()) {
      return meeting.leave(party);
    }
  }

  /// The party met somebody and leaves without what it got: that goes to the oldest other taker, or
  /// back to the front. What it gave stays given.
  void giveBack(Party<T> party, @Nullable EventLoop here) {
    boolean takes;
    try (var _ = lock.hold()) {
      takes = party.state == Party.State.MET && party.endpoint != Endpoint.OUT;
      party.state = party.state.leave();
    }
    if (takes && party.got != null) {
      giveBack(party.got, party.serial, here);
    }
  }

  /// `serial` is that of the party which had it.
  void giveBack(T value, long serial, @Nullable EventLoop here) {
    Party<T> told;
    try (var _ = lock.hold()) {
      told = meeting.giveBack(value, serial);
    }
    if (told != null) {
      told.tell(here);
    }
  }

  /// What the party got, or why it got nothing.
  @Nullable T result(Party<T> party) {
    return switch (party.state) {
      case MET -> party.got;
      case REFUSED -> throw closedError(party.via);
      case APART, WAITING, LEFT -> throw new AssertionError(party + " is " + party.state);
    };
  }

  // ---- closing

  /// Nobody can send any more; what is in it can still be received. Does nothing the second time.
  void close(String words, @Nullable Throwable reason, @Nullable EventLoop here) {
    List<Party<T>> refused;
    boolean opened;
    try (var _ = lock.hold()) {
      opened = visit(here);
      refused = shut(words, reason);
    }
    tellHome(opened);
    refused.forEach(party -> party.tell(here));
  }

  /// Under the lock; returns who is to be told.
  private List<Party<T>> shut(String words, @Nullable Throwable reason) {
    if (closure != null) {
      return List.of();
    }
    closure = new Closure(words, reason);
    return meeting.refuse(party -> true);
  }

  /// Sends away those who came that way.
  void release(Access via, @Nullable EventLoop here) {
    List<Party<T>> refused;
    boolean opened;
    try (var _ = lock.hold()) {
      opened = visit(here);
      via.release();
      refused = meeting.refuse(party -> party.via == via);
    }
    tellHome(opened);
    refused.forEach(party -> party.tell(here));
  }

  ClosedException closedError(Access via) {
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
    if (TransferCheck.isChecked()) {
      visitors = visitors.visit(visitor == here);
      visitor = here;
    }
    if (shared || here == home) {
      return false;
    }
    shared = true;
    return true;
  }

  /// If it has just become shared, those of the home loop who wait already may be met from outside now.
  private void tellHome(boolean opened) {
    EventLoop loop = home;
    if (opened && loop != null) {
      loop.post(() -> recount(loop));
    }
  }

  /// The home's thread.
  private void recount(EventLoop here) {
    try (var _ = lock.hold()) {
      meeting.forEach(
          party -> {
            if (party.isOf(here)) {
              party.expectOthers();
            }
          });
    }
  }

  /// Whether it is known that others than the caller's loop, or than plain threads, use it or will; told
  /// only under the check of [TransferCheck].
  boolean isUsedBeside(@Nullable EventLoop here) {
    try (var _ = lock.hold()) {
      return options.isShared()
          || switch (visitors) {
            case NOBODY -> false;
            case ONE -> visitor != here;
            case SEVERAL -> true;
          };
    }
  }

  // ---- patience

  /// How long a party at that end waits for the other before the channel closes itself; 0 is for ever.
  long patience(Endpoint endpoint) {
    return patience.nanos(endpoint);
  }

  /// The party has waited since then. Closes the channel if nobody came to the other end for too long;
  /// returns how long there still is to wait if not, or 0 if it does not wait any more.
  long starve(Party<T> party, long since, long now, @Nullable EventLoop here) {
    @Nullable TimeoutException reason = null;
    while (true) {
      List<Party<T>> refused = List.of();
      long left;
      try (var _ = lock.hold()) {
        if (party.state != Party.State.WAITING) {
          return 0;
        }
        left = patience.left(party.endpoint, since, now);
        if (left <= 0 && reason != null) {
          // Looked and closed in one step: whoever came meanwhile is not sent away.
          refused = shut(" closed itself: " + reason.getMessage(), reason);
        }
      }
      if (left > 0 || reason != null) {
        refused.forEach(waiting -> waiting.tell(here));
        return left;
      }
      reason = patience.end(party.endpoint);
    }
  }

  /// The channel closes itself if nobody comes to its other end for so long. On the loop of who waits.
  private final class Starvation extends TimerEntry {
    private final Party<T> party;
    private final long since;

    Starvation(Party<T> party) {
      this.party = party;
      this.since = party.loop().clock();
    }

    @Override
    protected void due() {
      EventLoop loop = party.loop();
      long left = starve(party, since, loop.clock(), loop);
      if (left > 0) {
        loop.timers().add(this, loop.clock() + left);
      }
    }
  }

  // ---- looking inside

  ChanStats stats() {
    try (var _ = lock.hold()) {
      return meeting.stats(closure != null);
    }
  }

  @Override
  public String kind() {
    return "channel";
  }

  @Override
  public Map<String, Object> figures() {
    ChanStats now = stats();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("values", now.values());
    figures.put("capacity", now.capacity());
    figures.put("senders", now.senders());
    figures.put("receivers", now.receivers());
    figures.put("closed", now.isClosed());
    return figures;
  }

  @Override
  public String toString() {
    return name == null ? "a channel" : "channel " + name;
  }
}
