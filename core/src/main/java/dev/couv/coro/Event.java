// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.error.ClosedException;
import dev.couv.loop.Firing;
import dev.couv.loop.Kept;
import dev.couv.loop.Line;
import dev.couv.loop.Wording;
import dev.couv.strand.Scheduler;
import dev.couv.strand.Seat;
import dev.couv.strand.Selectable;
import dev.couv.strand.Strand;
import dev.couv.strand.Suspension;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Something that happens, once or many times, and that coroutines can await and callbacks be told
/// of. Users extend it: [#onStart] arms what will call [#fire], [#onStop] disarms it. A subclass may
/// have any state of its own. Only the maker of an event can fire it; an [Emitter] is one whose holder
/// may.
///
/// Starting is counted: the first start arms, the last stop disarms; whoever awaits has started it. The
/// two never overlap, though either may wait: whoever comes meanwhile waits as well.
/// Holding is counted by holder: the maker [closes][#close] it, and each [Hold]; the last one disposes.
///
/// An event that was [#fireAndClose]d keeps its outcome: whoever awaits it later is told at once.
/// One that was closed without an outcome throws `ClosedException` to those who wait.
///
/// ## What callbacks may do while they are told
///
/// | A callback | What comes of it |
/// |---|---|
/// | subscribes another | that one hears of the next firing |
/// | unsubscribes one whose turn has not come | it is not told |
/// | unsubscribes one that was told, or itself | the rest are told, each once |
/// | closes the event | nobody else is told, unless it was fired for the last time |
/// | throws | the rest are told; [#fire] throws the first such exception, with the others suppressed |
/// | fires the event again | everybody is told of that first; then the firing around it goes on |
/// | awaits something | the rest are told when it goes on; others may fire the event meanwhile |
///
/// A callback that is subscribed twice is told twice, and is unsubscribed once at a time. Coroutines
/// that await the event are woken before the first callback is told.
public abstract class Event<T extends @Nullable Object>
    implements Awaitable<T>, LoopBound, AutoCloseable {
  /// Is told when the event happens: a value, or an error.
  @FunctionalInterface
  public interface Callback<T extends @Nullable Object> {
    void fired(@Nullable T value, @Nullable Throwable error) throws Exception;
  }

  /// One holder's share of an event, from [#retain] until it is closed. Who closes it twice takes nothing
  /// from the others.
  public static final class Hold implements AutoCloseable {
    /// Null when it is closed.
    private @Nullable Event<?> event;

    private Hold(Event<?> event) {
      this.event = event;
    }

    /// The event is held no more by this holder; the last one disposes it. Does nothing the second time.
    @Override
    public void close() {
      Event<?> held = event;
      if (held != null) {
        held.scheduler.checkInside(held);
        event = null;
        held.released();
      }
    }

    /// Whether it was closed.
    public boolean isClosed() {
      return event == null;
    }

    @Override
    public String toString() {
      return event == null ? "a hold that was closed" : "a hold of " + event;
    }
  }

  private enum State {
    OPEN,
    /// Closed with an outcome that is told to latecomers.
    SETTLED,
    CLOSED
  }

  /// How its loop counts it.
  private enum Counted {
    NOT,
    /// Its callbacks would be told, if it happens before the loop ends.
    HEARD,
    /// The loop waits for it.
    AWAITED
  }

  private final Scheduler scheduler;
  private final Callbacks<T> callbacks;
  private final Source source = new Source();
  private final Line<Seat<T>> waiting = new Line<>();

  private final Arming arming = new Arming();

  private State state = State.OPEN;

  /// Without those who await it, each of which wants it started, too.
  private int starts;

  /// Its maker first.
  private int holders = 1;

  /// That of its maker, when it was closed.
  private @Nullable Hold own;

  private boolean hidden;
  private Counted counted = Counted.NOT;
  private @Nullable Outcome<T> last;

  /// What happened while nobody listened, oldest first, in events that keep it.
  private @Nullable Kept<Outcome<T>> kept;

  /// How often it happened, if it keeps that.
  private long firings;

  /// An event of the calling coroutine's loop.
  protected Event() {
    scheduler = Strand.current("an event").scheduler();
    callbacks = new Callbacks<>(scheduler);
  }

  /// An event that happens once, with the outcome of the source: a coroutine, a promise, whatever can be
  /// awaited. While it is started, a coroutine of its own awaits the source.
  public static <T extends @Nullable Object> Event<T> of(Awaitable<T> source) {
    return new SourceEvent<>(Objects.requireNonNull(source, "source"));
  }

  // ---- for extending

  /// The first start: arms what will call [#fire]. If it throws, the event is not armed, and whoever
  /// else wants it tries in turn.
  protected void onStart() {}

  /// The last stop, or the end while started: disarms it. Is not cancelled.
  protected void onStop() {}

  /// The last holder closed it. It is disarmed by then.
  protected void onDispose() {}

  /// Sees each firing before anybody else; false swallows it. To change what is told, swallow it and
  /// fire something else. Not asked of what the runtime's own events fire on the loop's thread.
  protected boolean intercept(@Nullable T newValue, @Nullable Throwable newError) {
    return true;
  }

  /// Whether a firing on the loop's thread that finds nobody who awaits, and no callback, is kept for
  /// the next await: then nothing is lost between two awaits, nor by a coroutine that is resumed
  /// instead of taking what it was woken for.
  protected boolean keeps() {
    return false;
  }

  /// How many firings are kept for the next awaits.
  protected final int kept() {
    return kept == null ? 0 : kept.size();
  }

  /// Whether the loop must not end while this is started, unless it is hidden: because it comes from
  /// the system or another thread. What only the loop's coroutines fire needs no loop that waits.
  protected boolean keepsAlive() {
    return false;
  }

  /// It was hidden or shown while it is started.
  protected void onHidden(boolean nowHidden) {}

  // ---- using

  /// Arms it, if it is the first start; returns when it is armed. Does nothing on a closed event.
  public final void start() {
    scheduler.checkInside(this);
    if (state == State.OPEN) {
      starts++;
      try {
        arm();
      } catch (Throwable failed) {
        stop();
        throw failed;
      }
    }
  }

  /// Takes back one start; the last disarms it, unless somebody awaits it. Does nothing if it is not
  /// started.
  public final void stop() {
    scheduler.checkInside(this);
    if (starts > 0) {
      starts--;
      arming.disarmUnwanted(this);
    }
  }

  /// Says whether the loop may end although this event could still happen; a coroutine that awaits it
  /// and nothing else is then part of a [Deadlock]. Returns itself.
  public final Event<T> hidden(boolean nowHidden) {
    scheduler.checkInside(this);
    if (hidden != nowHidden) {
      hidden = nowHidden;
      keepAlive();
      if (isWanted()) {
        onHidden(nowHidden);
      }
    }
    return this;
  }

  /// Whether it was told not to keep the loop alive.
  public final boolean isHidden() {
    return hidden;
  }

  /// One more holder: the event stays open until that has closed its hold, too.
  public final Hold retain() {
    scheduler.checkInside(this);
    checkOpen();
    holders++;
    return new Hold(this);
  }

  /// The maker holds it no more; does nothing the second time. The last holder disposes: it is stopped,
  /// and whoever waits gets a `ClosedException`.
  @Override
  public final void close() {
    if (own == null) {
      own = new Hold(this);
    }
    own.close();
  }

  /// One holder less.
  private void released() {
    if (--holders > 0) {
      return;
    }
    try {
      if (state == State.OPEN) {
        callbacks.clear();
        end(State.CLOSED);
      }
    } finally {
      arming.whenIdle(this, this::onDispose);
    }
  }

  /// Tells the callback of every firing from now on, or of the outcome at once if there is one.
  public final void subscribe(Callback<T> callback) throws Exception {
    Objects.requireNonNull(callback, "callback");
    scheduler.checkInside(this);
    if (last != null) {
      callback.fired(last.valueOrNull(), last.failureOrNull());
      return;
    }
    checkOpen();
    callbacks.add(callback);
    keepAlive();
  }

  /// False if it was not subscribed.
  public final boolean unsubscribe(Callback<T> callback) {
    scheduler.checkInside(this);
    boolean removed = callbacks.remove(Objects.requireNonNull(callback, "callback"));
    keepAlive();
    return removed;
  }

  /// It happens: with a value, or with an error if that is not null. Everybody who awaits goes on,
  /// every callback is told. In a coroutine.
  protected void fire(@Nullable T newValue, @Nullable Throwable newError) throws Exception {
    scheduler.checkInside(this);
    checkOpen();
    if (intercept(newValue, newError) && state == State.OPEN) {
      try {
        wake(newValue, newError);
      } finally {
        callbacks.tell(newValue, newError, false);
      }
    }
  }

  /// It happens for the last time: the outcome stays.
  protected void fireAndClose(@Nullable T newValue, @Nullable Throwable newError) throws Exception {
    scheduler.checkInside(this);
    checkOpen();
    if (intercept(newValue, newError) && state == State.OPEN) {
      try {
        settle(newValue, newError);
      } finally {
        callbacks.tell(newValue, newError, true);
      }
    }
  }

  @Override
  public final boolean isHere() {
    return scheduler.isInside();
  }

  /// Whether it can not happen any more.
  public final boolean isClosed() {
    return state != State.OPEN;
  }

  /// Waits until it happens next. Cancelling leaves the event as it was.
  @Override
  public final T await() throws Exception {
    return Suspension.await(source);
  }

  // ---- for events of the runtime

  /// It happens for the last time, seen on the loop's thread, where no user code may run: callbacks are
  /// told by a coroutine. Does nothing on a closed event.
  protected final void settleOnLoop(@Nullable T newValue, @Nullable Throwable newError) {
    if (state == State.OPEN) {
      try {
        settle(newValue, newError);
      } finally {
        callbacks.tellLater(newValue, newError, true);
      }
    }
  }

  /// It happens, seen on the loop's thread, likewise.
  @SuppressWarnings("NullAway") // null only where T allows it
  protected final void fireOnLoop(@Nullable T newValue, @Nullable Throwable newError) {
    if (state != State.OPEN) {
      return;
    }
    boolean heard = !callbacks.isEmpty();
    if (!wake(newValue, newError) && !heard && keeps()) {
      keep(newError == null ? Outcome.value(newValue) : Outcome.failure(newError), ++firings);
    }
    callbacks.tellLater(newValue, newError, false);
  }

  // ---- the pieces

  /// Whether it is to be armed.
  final boolean isWanted() {
    return state == State.OPEN && (starts > 0 || !waiting.isEmpty());
  }

  private void arm() {
    if (!arming.arm(this)) {
      Chore.begin(
          scheduler, LoopHost.of(scheduler).root(), "start of " + Wording.of(this), this::arm);
    }
  }

  /// Whether a firing now would find somebody.
  final boolean isListenedTo() {
    return !waiting.isEmpty() || !callbacks.isEmpty();
  }

  /// What it kept for whoever comes to await it, taken out.
  @Nullable Outcome<T> takeKept(Seat<T> seat) {
    Kept.Item<Outcome<T>> oldest = kept == null ? null : kept.take();
    if (oldest == null) {
      return null;
    }
    seat.note(new Firing(oldest.serial(), 1));
    return oldest.value();
  }

  /// Nobody was there for it, or whoever took it has left without: then it goes where it was.
  void keep(Outcome<T> outcome, long serial) {
    if (kept == null) {
      kept = new Kept<>();
    }
    kept.add(outcome, serial);
  }

  final Scheduler scheduler() {
    return scheduler;
  }

  /// Whoever calls this has the callbacks told, which stay until then.
  @SuppressWarnings("NullAway") // null only where T allows it
  private void settle(@Nullable T newValue, @Nullable Throwable newError) {
    last = newError == null ? Outcome.value(newValue) : Outcome.failure(newError);
    end(State.SETTLED);
  }

  private void end(State newState) {
    state = newState;
    starts = 0;
    kept = null;
    keepAlive();
    for (Seat<T> seat; (seat = waiting.poll()) != null; ) {
      offerEnd(seat);
    }
    arming.disarmUnwanted(this); // last, because it may wait and throw
  }

  /// What is told to those who come too late.
  private Outcome<T> ended() {
    return last == null ? Outcome.failure(closedError()) : last;
  }

  /// Counts itself among what the loop waits for, as long as it is that.
  final void keepAlive() {
    Counted counts = counts();
    if (counts != counted) {
      switch (counted) {
        case NOT -> {}
        case HEARD -> LoopHost.of(scheduler).outsiders().heardLess();
        case AWAITED -> scheduler.events().liveness().waitEnded();
      }
      counted = counts;
      switch (counts) {
        case NOT -> {}
        case HEARD -> LoopHost.of(scheduler).outsiders().heardMore();
        case AWAITED -> scheduler.events().liveness().waitStarted();
      }
    }
  }

  private Counted counts() {
    boolean awaited = arming.isArmed() && isWanted();
    if (hidden || state != State.OPEN || !(awaited || !callbacks.isEmpty()) || !keepsAlive()) {
      return Counted.NOT;
    }
    return awaited ? Counted.AWAITED : Counted.HEARD;
  }

  /// Tells those who await it. Whoever is not to be had, because something else has woken it, stays
  /// until it has withdrawn. False if nobody was told. Offers run no user code, so the list stays as it
  /// is meanwhile.
  private boolean wake(@Nullable T newValue, @Nullable Throwable newError) {
    Firing firing = keeps() && !waiting.isEmpty() ? new Firing(++firings, 0) : null;
    int told = 0;
    Seat<T> passed = null;
    for (Seat<T> seat; (seat = passed == null ? waiting.first() : waiting.next(passed)) != null; ) {
      if (!seat.claimToTell()) {
        passed = seat;
        continue;
      }
      waiting.remove(seat);
      told++;
      if (firing != null) {
        firing.told();
        seat.note(firing);
      }
      seat.deliver(newValue, newError);
    }
    arming.disarmUnwanted(this); // last, because it may wait and throw
    return told > 0;
  }

  /// Itself as a member of a wait.
  final Selectable<T> source() {
    return source;
  }

  private final class Source implements Selectable<T> {
    @Override
    public boolean poll(Seat<T> seat) {
      scheduler.checkInside(Event.this);
      Outcome<T> found =
          switch (state) {
            case OPEN -> takeKept(seat);
            case SETTLED, CLOSED -> ended();
          };
      if (found == null) {
        return false;
      }
      seat.receive(found.valueOrNull(), found.failureOrNull());
      return true;
    }

    @Override
    public void enlist(Seat<T> seat) {
      scheduler.checkInside(Event.this);
      if (state != State.OPEN) {
        offerEnd(seat); // since it was asked
        return;
      }
      waiting.add(seat);
      arm();
    }

    @Override
    public void withdraw(Seat<T> seat) {
      if (waiting.remove(seat)) {
        arming.disarmUnwanted(Event.this);
      }
    }

    /// What an event that keeps has given is kept again, when the last who was given it has not taken it.
    @Override
    @SuppressWarnings("NullAway") // null only where T allows it
    public void surrender(Seat<T> seat, @Nullable T value, @Nullable Throwable error) {
      if (state == State.OPEN && keeps()) {
        Outcome<T> outcome = error == null ? Outcome.value(value) : Outcome.failure(error);
        if (!(seat.note() instanceof Firing firing)) {
          keep(outcome, 0);
        } else if (firing.leftUnseen()) {
          keep(outcome, firing.serial());
        }
      }
    }

    @Override
    public Object subject() {
      return Event.this;
    }

    @Override
    public boolean isReachable() {
      return false; // an event that others make happen keeps the loop alive itself
    }

    @Override
    public String toString() {
      return Wording.of(Event.this);
    }
  }

  private void offerEnd(Seat<T> seat) {
    Outcome<T> end = ended();
    seat.offer(end.valueOrNull(), end.failureOrNull());
  }

  private void checkOpen() {
    if (state != State.OPEN) {
      throw closedError();
    }
  }

  private ClosedException closedError() {
    return new ClosedException(Wording.of(this) + " is closed");
  }
}
