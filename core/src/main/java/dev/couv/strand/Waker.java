// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Escaped;
import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import dev.couv.loop.Wording;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What wakes a coroutine that awaits one or several [Selectable]s: a seat for each. Every coroutine
/// has one and uses it again and again; a wait for one or two allocates nothing.
///
/// ## A wait
///
/// [#begin] says what ends it, [#add] names the sources, or [#feed] where they come from; [#await]
/// asks, enlists and suspends; the outcomes are then in the seats, and what the caller
/// [takes][WakerSeat#take] is its. [#end] always comes last: it withdraws what is still enlisted, and
/// gives back what was not taken.
///
/// Everything here is confined to the loop, except what the seats say of themselves.
public final class Waker implements Operation {
  /// So many sources that are ready are asked in a row; then the others get a turn.
  private static final int READY_BATCH = 16;

  /// So many seats are kept for the next wait.
  private static final int KEPT_SEATS = 8;

  private static final Iterator<Selectable<?>> NOBODY = Collections.emptyIterator();

  private final Scheduler scheduler;
  private final Fiber strand;
  private final Door door;

  /// That of its strand which is used again: it remembers what was thrown.
  private final Waker first;

  private @Nullable WakerSeat[] seats = new WakerSeat[2];
  private int count;
  private WakerState state = WakerState.FREE;
  private @Nullable Waiter waiter;
  private @Nullable Throwable thrown;

  // What ends the wait.
  private boolean firstOnly;
  private int needed;
  private int tolerated;

  // Where more sources come from, and how many may be pending.
  private Iterator<? extends Selectable<?>> more = NOBODY;
  private int limit;
  private boolean exhausted = true;

  // How far it is.
  private int values;
  private int failures;

  Waker(Scheduler scheduler, Fiber strand, Door door) {
    this.scheduler = scheduler;
    this.strand = strand;
    this.door = door;
    this.first = this;
  }

  private Waker(Waker first) {
    this.scheduler = first.scheduler;
    this.strand = first.strand;
    this.door = first.door;
    this.first = first;
  }

  /// Another of the same strand, for a wait inside of its present one.
  Waker another() {
    return new Waker(this);
  }

  // ---- the common waits

  /// Waits for one.
  @SuppressWarnings({"unchecked", "NullAway"}) // the only source is of T
  public <T extends @Nullable Object> T await(Selectable<T> source) throws Exception {
    beginFirst();
    add(source);
    return (T) awaitFirst(WakerSeat::value);
  }

  /// Waits for one, and leaves the outcome where it is.
  public void awaitEnd(Selectable<?> source) {
    beginFirst();
    add(source);
    try {
      await();
    } finally {
      end();
    }
  }

  /// Waits for the first of those added, and returns what `result` makes of it, or throws its failure.
  public <R extends @Nullable Object> R awaitFirst(Function<WakerSeat, R> result) throws Exception {
    R made;
    try {
      await();
      WakerSeat arrived = first();
      Throwable error = arrived.error();
      if (error != null) {
        throw rethrow(error);
      }
      made = result.apply(arrived);
    } finally {
      end();
    }
    return made;
  }

  /// Throws what a wait has failed with. Never returns.
  public Exception rethrow(Throwable error) throws Exception {
    first.thrown = error;
    throw Outcomes.rethrow(error);
  }

  /// Whether the last wait that failed has thrown that. Others may have been thrown the same.
  public boolean hasThrown(@Nullable Throwable failure) {
    return failure != null && first.thrown == failure;
  }

  private WakerSeat first() {
    WakerSeat found = null;
    for (int i = 0; i < count; i++) {
      WakerSeat seat = seat(i);
      if (seat.hasArrived() && (found == null || seat.wasAsked())) {
        found = seat;
      }
    }
    if (found == null) {
      throw new AssertionError("woken for nothing");
    }
    found.take();
    return found;
  }

  // ---- a wait, step by step

  /// The first outcome ends it, and only one source can win.
  public void beginFirst() {
    begin(1, 0);
    firstOnly = true;
  }

  /// Ends when `newNeeded` values are there, or more than `newTolerated` failures, or nothing is left
  /// to come. Each source counts for itself.
  public void begin(int newNeeded, int newTolerated) {
    state = state.begin();
    firstOnly = false;
    needed = newNeeded;
    tolerated = newTolerated;
    values = 0;
    failures = 0;
  }

  boolean isInUse() {
    return state != WakerState.FREE;
  }

  /// Names a source.
  public void add(Selectable<?> source) {
    seatFor(source);
  }

  /// The sources come from there, one when it is asked for, so that no more than `newLimit` are
  /// pending.
  public void feed(Iterator<? extends Selectable<?>> newMore, int newLimit) {
    more = newMore;
    limit = newLimit;
    exhausted = false;
  }

  /// Waits until it is over.
  public void await() {
    do {
      door.await(this);
    } while (!isOver());
  }

  public int count() {
    return count;
  }

  public WakerSeat seat(int index) {
    WakerSeat seat = seats[index];
    if (seat == null) {
      throw new AssertionError("no seat " + index);
    }
    return seat;
  }

  /// Withdraws from every source that has not told, and gives back what was not taken. Throws what a
  /// source threw that was disarmed; then nothing is taken.
  public void end() {
    shut();
    Throwable thrown = null;
    for (int i = 0; i < count; i++) {
      try {
        seat(i).withdraw();
      } catch (Throwable refused) {
        thrown = Escaped.first(thrown, refused);
      }
    }
    boolean underWay = firstOnly && count > 0 && seat(0).isClaimed() && values + failures == 0;
    for (int i = 0; i < count; i++) {
      WakerSeat seat = seat(i);
      seat.surrender(thrown == null);
      if (underWay || (!firstOnly && seat.isClaimed() && !seat.hasArrived())) {
        seat.abandon();
        seats[i] = null;
      } else {
        seat.clear();
      }
    }
    count = 0;
    if (seats.length > KEPT_SEATS) {
      seats = Arrays.copyOf(seats, KEPT_SEATS);
    }
    more = NOBODY;
    exhausted = true;
    state = state.end();
    if (thrown != null) {
      Outcomes.throwUnchecked(thrown);
    }
  }

  private void shut() {
    for (int i = 0; i < count; i++) {
      seat(i).shut();
    }
  }

  // ---- what the seats ask

  /// Whether the caller has the loop's turn. Any thread.
  boolean isInside() {
    return scheduler.isInside();
  }

  /// Whether its coroutine is asking its sources: one of them may make it wait for a lock, and others come. Inside
  /// only.
  boolean isAsking() {
    return state == WakerState.ASKING;
  }

  /// Whether the caller is that coroutine.
  boolean asksItself() {
    return isAsking() && Engine.current() == strand;
  }

  /// Any thread.
  boolean post(Runnable delivery) {
    return scheduler.events().post(delivery);
  }

  /// An outcome is there; returns the how-manieth.
  int arrived(boolean isValue) {
    if (isValue) {
      values++;
    } else {
      failures++;
    }
    Waiter told = waiter;
    if (told != null && (isOver() || !exhausted)) {
      waiter = null;
      told.completed();
    }
    return values + failures - 1;
  }

  private boolean isOver() {
    return values >= needed || failures > tolerated || (exhausted && pending() == 0);
  }

  private int pending() {
    return count - values - failures;
  }

  /// Whether one of its sources can be reached by others than its loop's coroutines.
  public boolean isReachable() {
    for (int i = 0; i < count; i++) {
      if (seat(i).source().isReachable()) {
        return true;
      }
    }
    return false;
  }

  // ---- the operation

  @Override
  public boolean start(Waiter newWaiter) {
    if (firstOnly ? startFirst() : startEach()) {
      return true;
    }
    waiter = newWaiter;
    return false;
  }

  private boolean startFirst() {
    if (askAll() || takeAndAsk()) {
      return true;
    }
    WakerSeat decider = seat(0);
    for (int i = 0; i < count; i++) {
      seat(i).prepare(decider);
    }
    for (int i = 0; i < count; i++) {
      seat(i).enlist();
      if (decider.isClaimed()) {
        return isOver();
      }
    }
    do {
      if (askAll()) {
        decider.shut();
        return true;
      }
    } while (!decider.open());
    return isOver();
  }

  /// Takes as many sources as may be pending, but none behind one that has something.
  private boolean takeAndAsk() {
    while (!exhausted && count < limit && more.hasNext()) {
      if (ask(seatFor(more.next()))) {
        return true;
      }
    }
    exhausted = true;
    return false;
  }

  private boolean askAll() {
    for (int i = 0; i < count; i++) {
      if (ask(seat(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean startEach() {
    int ready = 0;
    while (!isOver() && !exhausted && pending() < limit) {
      if (!more.hasNext()) {
        exhausted = true;
        if (needed < Integer.MAX_VALUE) {
          tolerated = Math.min(tolerated, count - Math.min(needed, count));
        }
      } else if (begun(seatFor(more.next())) && ++ready == READY_BATCH) {
        return true; // not over, but the others get a turn now and then
      }
    }
    return isOver();
  }

  /// True if its outcome was there.
  private boolean begun(WakerSeat seat) {
    if (ask(seat)) {
      return true;
    }
    seat.prepare(seat);
    seat.enlist();
    do {
      if (seat.isClaimed()) {
        return seat.hasArrived();
      }
      if (ask(seat)) {
        seat.shut();
        return true;
      }
    } while (!seat.open());
    return false;
  }

  private boolean ask(WakerSeat seat) {
    state = state.ask();
    try {
      return seat.ask();
    } finally {
      state = state.answered();
    }
  }

  @SuppressWarnings("unchecked") // whatever it brings is an object
  private WakerSeat seatFor(Selectable<?> source) {
    if (count == seats.length) {
      seats = Arrays.copyOf(seats, count * 2);
    }
    WakerSeat seat = seats[count];
    if (seat == null) {
      seat = new WakerSeat(this);
      seats[count] = seat;
    }
    seat.give((Selectable<@Nullable Object>) source);
    count++;
    return seat;
  }

  @Override
  public void cancel() {
    waiter = null;
    shut();
  }

  /// Too late if a source on another thread has won: what it gave or took stays so, and its delivery is
  /// on its way.
  @Override
  public boolean tryCancel() {
    if (firstOnly && count > 0 && !seat(0).shut()) {
      return false;
    }
    cancel();
    return true;
  }

  /// What arrived is given back by [#end].
  @Override
  public void surrender() {}

  @Override
  public String toString() {
    if (count == 1 && exhausted) {
      return Wording.of(seat(0).source());
    }
    String what = firstOnly ? "any of " : needed == Integer.MAX_VALUE ? "all of " : "some of ";
    StringJoiner words = new StringJoiner(", ", what, exhausted ? "" : ", …");
    for (int i = 0; i < count; i++) {
      if (!seat(i).hasArrived()) {
        words.add(Wording.of(seat(i).source()));
      }
    }
    return words.toString();
  }
}
