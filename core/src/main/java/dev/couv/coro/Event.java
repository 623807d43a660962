// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Undo;
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
    /// The event has happened: with that value, or with an error, and then the value is null.
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

  private final Scheduler scheduler;
  private final Subscriptions<T> callbacks;

  @SuppressWarnings("this-escape") // it is only kept
  private final EventSource<T> source = new EventSource<>(this);

  private final Arming arming = new Arming();

  /// Without those who await it, each of which wants it started, too.
  private int starts;

  /// Its maker first.
  private int holders = 1;

  /// That of its maker, when it was closed.
  private @Nullable Hold own;

  private boolean hidden;
  private Counted counted = Counted.NOT;

  /// An event of the calling coroutine's loop.
  protected Event() {
    scheduler = Strand.current("an event").scheduler();
    callbacks = new Subscriptions<>(scheduler);
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
    return source.kept();
  }

  /// Whether the loop must not end while this is started, unless it is hidden: because it comes from
  /// the system or another thread. What only the loop's coroutines fire needs no loop that waits.
  protected boolean keepsAlive() {
    return false;
  }

  /// Told when the event is hidden or shown while it is started.
  protected void onHidden(boolean nowHidden) {}

  // ---- using

  /// Arms it, if it is the first start; returns when it is armed. Does nothing on a closed event.
  public final void start() {
    scheduler.checkInside(this);
    if (!isClosed()) {
      starts++;
      Undo.unless(this::arm, this::stop);
    }
  }

  /// Takes back one start; the last disarms it, unless somebody awaits it. Does nothing if it is not
  /// started.
  public final void stop() {
    scheduler.checkInside(this);
    if (starts > 0) {
      starts--;
      disarmUnwanted();
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
      if (!isClosed()) {
        callbacks.clear();
        end(null);
      }
    } finally {
      arming.whenIdle(this, this::onDispose);
    }
  }

  /// Tells the callback of every firing from now on, or of the outcome at once if there is one.
  public final void subscribe(Callback<T> callback) throws Exception {
    Objects.requireNonNull(callback, "callback");
    scheduler.checkInside(this);
    Outcome<T> last = source.last();
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

  /// Makes the event happen: with a value, or with an error if that is not null. Everybody who awaits goes on,
  /// every callback is told. In a coroutine.
  protected void fire(@Nullable T newValue, @Nullable Throwable newError) throws Exception {
    happen(newValue, newError, false);
  }

  /// Makes the event happen for the last time: the outcome stays.
  protected void fireAndClose(@Nullable T newValue, @Nullable Throwable newError) throws Exception {
    happen(newValue, newError, true);
  }

  private void happen(@Nullable T newValue, @Nullable Throwable newError, boolean isLast)
      throws Exception {
    scheduler.checkInside(this);
    checkOpen();
    if (intercept(newValue, newError) && !isClosed()) {
      try {
        if (isLast) {
          end(Gathering.outcome(newValue, newError));
        } else {
          wake(newValue, newError);
        }
      } finally {
        callbacks.tell(newValue, newError, isLast);
      }
    }
  }

  @Override
  public final boolean isHere() {
    return scheduler.isInside();
  }

  /// Whether it can not happen any more.
  public final boolean isClosed() {
    return source.isClosed();
  }

  /// Waits until it happens next. Cancelling leaves the event as it was.
  @Override
  public final T await() throws Exception {
    return Suspension.await(source);
  }

  // ---- for events of the runtime

  /// Makes the event happen for the last time, on the loop's thread, where no user code may run: callbacks are
  /// told by a coroutine. Does nothing on a closed event.
  protected final void settleOnLoop(@Nullable T newValue, @Nullable Throwable newError) {
    if (!isClosed()) {
      try {
        end(Gathering.outcome(newValue, newError));
      } finally {
        callbacks.tellLater(newValue, newError, true);
      }
    }
  }

  /// Makes the event happen, on the loop's thread, where no user code may run: callbacks are told by a coroutine. Does
  /// nothing on a closed event.
  protected final void fireOnLoop(@Nullable T newValue, @Nullable Throwable newError) {
    if (isClosed()) {
      return;
    }
    boolean heard = !callbacks.isEmpty();
    if (!wake(newValue, newError) && !heard && keeps()) {
      source.keep(newValue, newError);
    }
    callbacks.tellLater(newValue, newError, false);
  }

  // ---- the pieces

  /// Whether it is to be armed.
  final boolean isWanted() {
    return !isClosed() && (starts > 0 || source.isAwaited());
  }

  final void arm() {
    arming.arm(this);
  }

  final void disarmUnwanted() {
    arming.disarmUnwanted(this);
  }

  /// Whether a firing now would find somebody.
  final boolean isListenedTo() {
    return source.isAwaited() || !callbacks.isEmpty();
  }

  /// What it kept for whoever comes to await it, taken out.
  @Nullable Outcome<T> takeKept(Seat<T> seat) {
    return source.takeKept(seat);
  }

  /// Nobody was there for it, or whoever took it has left without: then it goes where it was.
  void keep(Outcome<T> outcome, long serial) {
    source.keep(outcome, serial);
  }

  final Scheduler scheduler() {
    return scheduler;
  }

  /// Whoever calls this with an outcome has the callbacks told, which stay until then.
  private void end(@Nullable Outcome<T> outcome) {
    starts = 0;
    source.close(outcome);
    keepAlive();
    disarmUnwanted(); // last, because it may wait and throw
  }

  /// Counts itself among what the loop waits for, as long as it is that.
  final void keepAlive() {
    counted = counted.become(counts(), scheduler);
  }

  private Counted counts() {
    boolean awaited = arming.isArmed() && isWanted();
    if (hidden || isClosed() || !(awaited || !callbacks.isEmpty()) || !keepsAlive()) {
      return Counted.NOT;
    }
    return awaited ? Counted.AWAITED : Counted.HEARD;
  }

  private boolean wake(@Nullable T newValue, @Nullable Throwable newError) {
    boolean told = source.wake(newValue, newError);
    disarmUnwanted(); // last, because it may wait and throw
    return told;
  }

  /// Itself as a member of a wait.
  final Selectable<T> source() {
    return source;
  }

  private void checkOpen() {
    if (isClosed()) {
      throw source.closedError();
    }
  }
}
