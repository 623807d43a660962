// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.error.ClosedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Something that happens, once or many times, and that coroutines can await and callbacks be told
/// of. Users extend it: [#onStart] arms what will call [#fire], [#onStop] disarms it.
///
/// Starting is counted: the first start arms, the last stop disarms; whoever awaits has started it.
/// Holding is counted too: each [#retain] owes a [#close], and the last close disposes.
///
/// An event that was [#fireAndClose]d keeps its outcome: whoever awaits it later is told at once.
/// One that was closed without an outcome throws `ClosedException` to those who wait.
///
/// During a notification callbacks may subscribe (they hear of the next one), unsubscribe others
/// (who are then not told, if it was not their turn yet) and close the event (which ends the
/// notification, unless it is the last one). What callbacks throw does not stop it: the first such
/// exception is thrown by [#fire] at the end, the others are suppressed in it.
public abstract class Event<T extends @Nullable Object> implements Selectable<T>, AutoCloseable {
  /// Is told when the event happens: a value, or an error.
  @FunctionalInterface
  public interface Callback<T extends @Nullable Object> {
    void fired(@Nullable T value, @Nullable Throwable error) throws Exception;
  }

  private enum State {
    OPEN,
    /// Closed with an outcome that is told to latecomers.
    SETTLED,
    CLOSED
  }

  private final Scheduler scheduler;
  private final List<Callback<T>> callbacks = new ArrayList<>(0);
  private final List<Seat<T>> waiting = new ArrayList<>(1);

  private State state = State.OPEN;
  private int starts;
  private int holders = 1;
  private @Nullable Outcome<T> last;

  /// What happened while nobody listened, oldest first, in events that keep it.
  private @Nullable ArrayDeque<Outcome<T>> kept;

  /// An event of the calling coroutine's loop.
  protected Event() {
    scheduler = Strand.current("an event").scheduler();
  }

  // ---- for extending

  /// The first start: arms what will call [#fire].
  protected void onStart() {}

  /// The last stop, or the end while started: disarms it.
  protected void onStop() {}

  /// The last holder closed it.
  protected void onDispose() {}

  /// Sees each firing before anybody else; false swallows it.
  protected boolean intercept(@Nullable T newValue, @Nullable Throwable newError) {
    return true;
  }

  /// Whether a firing on the loop's thread that finds nobody who awaits, and no callback, is kept for
  /// the next await: then nothing is lost between two awaits, nor by a coroutine that is resumed
  /// instead of taking what it was woken for.
  protected boolean keeps() {
    return false;
  }

  // ---- using

  /// Arms it, if it is the first start. Does nothing on a closed event.
  public final void start() {
    scheduler.checkInside(this);
    if (state == State.OPEN && starts++ == 0) {
      boolean armed = false;
      try {
        onStart();
        armed = true;
      } finally {
        if (!armed) {
          starts = 0;
        }
      }
    }
  }

  /// Takes back one start; the last disarms it.
  public final void stop() {
    scheduler.checkInside(this);
    if (state == State.OPEN && starts > 0 && --starts == 0) {
      onStop();
    }
  }

  /// One more holder, who will close it.
  public final void retain() {
    scheduler.checkInside(this);
    checkOpen();
    holders++;
  }

  /// One holder less. The last one disposes: it is stopped, and whoever waits gets a
  /// `ClosedException`. Does nothing on a closed event.
  @Override
  public final void close() {
    if (holders == 0) {
      return;
    }
    scheduler.checkInside(this);
    if (--holders > 0) {
      return;
    }
    if (state == State.OPEN) {
      callbacks.clear();
      end(State.CLOSED);
    }
    onDispose();
  }

  /// Tells the callback of every firing from now on, or of the outcome at once if there is one.
  public final void subscribe(Callback<T> callback) throws Exception {
    scheduler.checkInside(this);
    if (last != null) {
      switch (last) {
        case Outcome.Value<T>(var value) -> callback.fired(value, null);
        case Outcome.Failure<T>(var cause) -> callback.fired(null, cause);
      }
      return;
    }
    checkOpen();
    callbacks.add(callback);
  }

  /// False if it was not subscribed.
  public final boolean unsubscribe(Callback<T> callback) {
    scheduler.checkInside(this);
    return callbacks.remove(callback);
  }

  /// It happens: with a value, or with an error if that is not null. Everybody who awaits goes on,
  /// every callback is told. In a coroutine.
  public final void fire(@Nullable T newValue, @Nullable Throwable newError) throws Exception {
    scheduler.checkInside(this);
    checkOpen();
    if (intercept(newValue, newError)) {
      wake(newValue, newError);
      tell(newValue, newError);
    }
  }

  /// It happens for the last time: the outcome stays.
  public final void fireAndClose(@Nullable T newValue, @Nullable Throwable newError)
      throws Exception {
    scheduler.checkInside(this);
    checkOpen();
    if (intercept(newValue, newError)) {
      settle(newValue, newError);
      tellLast(newValue, newError);
    }
  }

  /// Whether it can not happen any more.
  public final boolean isClosed() {
    return state != State.OPEN;
  }

  /// Waits until it happens next. Cancelling leaves the event as it was.
  @Override
  public final T await() throws Exception {
    return Waker.await(this);
  }

  // ---- for those who await it

  /// Its last outcome, or the oldest it kept, which is thereby taken.
  @Override
  public final @Nullable Outcome<T> poll() {
    scheduler.checkInside(this);
    return switch (state) {
      case OPEN -> kept == null || kept.isEmpty() ? null : kept.removeFirst();
      case SETTLED -> last;
      case CLOSED -> Outcome.failure(closedError());
    };
  }

  @Override
  public final void enlist(Seat<T> seat) {
    scheduler.checkInside(this);
    checkOpen();
    waiting.add(seat);
    boolean armed = false;
    try {
      start();
      armed = true;
    } finally {
      if (!armed) {
        waiting.remove(seat);
      }
    }
  }

  @Override
  public final void withdraw(Seat<T> seat) {
    if (waiting.remove(seat)) {
      stop();
    }
  }

  /// Everybody was told the same: there is nothing to hand on, unless this was the last one told of
  /// something that must not be lost.
  @Override
  public final void surrender(Seat<T> seat, Outcome<T> outcome) {
    if (state == State.OPEN
        && keeps()
        && (!(seat.note instanceof Firing firing) || --firing.takers == 0)) {
      keep().addFirst(outcome);
    }
  }

  // ---- for the runtime

  /// Settles it from the loop's thread, where no user code may run: callbacks are told by a coroutine.
  final void settleOnLoop(@Nullable T newValue, @Nullable Throwable newError) {
    settle(newValue, newError);
    if (!callbacks.isEmpty()) {
      Action body = () -> tellLast(newValue, newError);
      Coroutine.prepared(scheduler, Coroutine.body(body), body).named("callbacks").begin();
    }
  }

  /// It happens, seen on the loop's thread, where no user code may run: callbacks are told by a
  /// coroutine. Does nothing on a closed event.
  final void fireOnLoop(T newValue) {
    if (state != State.OPEN) {
      return;
    }
    boolean heard = !callbacks.isEmpty();
    if (!wake(newValue, null) && !heard && keeps()) {
      keep().addLast(Outcome.value(newValue));
    }
    if (!callbacks.isEmpty()) {
      Action body = () -> tell(newValue, null);
      Coroutine.prepared(scheduler, Coroutine.body(body), body).named("callbacks").begin();
    }
  }

  private ArrayDeque<Outcome<T>> keep() {
    ArrayDeque<Outcome<T>> queue = kept;
    if (queue == null) {
      queue = new ArrayDeque<>();
      kept = queue;
    }
    return queue;
  }

  final Scheduler scheduler() {
    return scheduler;
  }

  /// Whoever calls this has the callbacks told, which stay until then.
  @SuppressWarnings("NullAway") // null only where T allows it
  private void settle(@Nullable T newValue, @Nullable Throwable newError) {
    last = newError == null ? Outcome.value(newValue) : Outcome.failure(newError);
    try {
      wake(newValue, newError);
    } finally {
      end(State.SETTLED);
    }
  }

  private void end(State ended) {
    boolean armed = state == State.OPEN && starts > 0;
    state = ended;
    starts = 0;
    kept = null;
    if (armed) {
      onStop();
    }
    for (Seat<T> seat : waiting) {
      seat.offer(null, closedError());
    }
    waiting.clear();
  }

  /// Tells those who await it. Whoever is not to be had, because something else has woken it, stays
  /// until it has withdrawn. False if nobody was told. Offers run no user code, so the list stays as it
  /// is meanwhile.
  private boolean wake(@Nullable T newValue, @Nullable Throwable newError) {
    Firing firing = keeps() ? new Firing() : null;
    int told = 0;
    for (int i = 0; i < waiting.size(); i++) {
      Seat<T> seat = waiting.get(i);
      if (seat.claim()) {
        told++;
        if (firing != null) {
          firing.takers++;
          seat.note = firing;
        }
        seat.deliver(newValue, newError);
      } else if (told > 0) {
        waiting.set(i - told, seat);
      }
    }
    for (int i = 0; i < told; i++) {
      waiting.removeLast();
    }
    for (int i = 0; i < told; i++) {
      stop(); // last, because it may throw
    }
    return told > 0;
  }

  private void tellLast(@Nullable T newValue, @Nullable Throwable newError) throws Exception {
    try {
      tell(newValue, newError);
    } finally {
      callbacks.clear();
    }
  }

  private void tell(@Nullable T newValue, @Nullable Throwable newError) throws Exception {
    Throwable first = null;
    for (Callback<T> callback : List.copyOf(callbacks)) {
      if (!callbacks.contains(callback)) {
        continue; // the event was closed, or it unsubscribed, by one before it
      }
      try {
        callback.fired(newValue, newError);
      } catch (Throwable thrown) {
        if (first == null) {
          first = thrown;
        } else if (first != thrown) {
          first.addSuppressed(thrown);
        }
      }
    }
    if (first != null) {
      throw Outcomes.rethrow(first);
    }
  }

  private void checkOpen() {
    if (state != State.OPEN) {
      throw closedError();
    }
  }

  private ClosedException closedError() {
    return new ClosedException(this + " is closed");
  }

  /// How many coroutines were woken for one firing and may still take it.
  private static final class Firing {
    int takers;
  }
}
