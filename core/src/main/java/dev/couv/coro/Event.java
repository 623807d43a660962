// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.error.ClosedException;
import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
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
public abstract class Event<T extends @Nullable Object> implements Awaitable<T>, AutoCloseable {
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
  private final List<Arrival> waiting = new ArrayList<>(1);

  private State state = State.OPEN;
  private int starts;
  private int holders = 1;
  private @Nullable T value;
  private @Nullable Throwable error;

  /// What happened while nobody listened, oldest first, in events that keep it.
  private @Nullable ArrayDeque<Firing<T>> kept;

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
    if (state == State.SETTLED) {
      callback.fired(value, error);
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
  @SuppressWarnings("NullAway") // null only where T allows it
  public final T await() throws Exception {
    Arrival arrival = new Arrival();
    try {
      Suspension.await(arrival);
    } finally {
      arrival.release();
    }
    if (arrival.closed) {
      throw new ClosedException(this + " is closed");
    }
    if (arrival.error != null) {
      throw Outcomes.rethrow(arrival.error);
    }
    return arrival.value;
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
    Firing<T> firing = new Firing<>(newValue);
    if (waiting.isEmpty() && callbacks.isEmpty()) {
      if (keeps()) {
        keep().addLast(firing);
      }
      return;
    }
    for (Arrival arrival : waiting) {
      arrival.firing = firing;
      firing.takers++;
    }
    wake(newValue, null);
    if (!callbacks.isEmpty()) {
      Action body = () -> tell(newValue, null);
      Coroutine.prepared(scheduler, Coroutine.body(body), body).named("callbacks").begin();
    }
  }

  private ArrayDeque<Firing<T>> keep() {
    ArrayDeque<Firing<T>> queue = kept;
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
  private void settle(@Nullable T newValue, @Nullable Throwable newError) {
    value = newValue;
    error = newError;
    wake(newValue, newError);
    end(State.SETTLED);
  }

  private void end(State ended) {
    boolean armed = state == State.OPEN && starts > 0;
    state = ended;
    starts = 0;
    if (armed) {
      onStop();
    }
    List<Arrival> left = List.copyOf(waiting);
    waiting.clear();
    left.forEach(Arrival::close);
  }

  private void wake(@Nullable T newValue, @Nullable Throwable newError) {
    List<Arrival> told = List.copyOf(waiting);
    waiting.clear();
    for (Arrival arrival : told) {
      arrival.arrive(newValue, newError);
    }
    for (int i = 0; i < told.size(); i++) {
      stop(); // last, because it may throw
    }
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
      throw new ClosedException(this + " is closed");
    }
  }

  /// One firing on the loop's thread, and how many coroutines were woken for it and may still take it.
  private static final class Firing<T extends @Nullable Object> {
    final T value;
    int takers;

    Firing(T value) {
      this.value = value;
    }
  }

  /// One coroutine's wait for the next firing.
  private final class Arrival implements Operation {
    private @Nullable Waiter waiter;
    private @Nullable T value;
    private @Nullable Throwable error;
    private @Nullable Firing<T> firing;
    private boolean closed;
    private boolean over;
    private boolean left;

    @Override
    public boolean start(Waiter newWaiter) {
      scheduler.checkInside(Event.this);
      if (state == State.SETTLED) {
        value = Event.this.value;
        error = Event.this.error;
        return true;
      }
      checkOpen();
      Firing<T> oldest = kept == null ? null : kept.poll();
      if (oldest != null) {
        oldest.takers = 1;
        firing = oldest;
        value = oldest.value;
        return true;
      }
      waiting.add(this);
      boolean armed = false;
      try {
        Event.this.start();
        armed = true;
      } finally {
        if (!armed) {
          waiting.remove(this);
        }
      }
      if (over) {
        return true; // arming found that it has happened already
      }
      waiter = newWaiter;
      return false;
    }

    void arrive(@Nullable T newValue, @Nullable Throwable newError) {
      value = newValue;
      error = newError;
      leave();
    }

    void close() {
      closed = true;
      leave();
    }

    private void leave() {
      over = true;
      Waiter told = waiter;
      waiter = null;
      if (told != null) {
        told.completed();
      }
    }

    @Override
    public void cancel() {
      waiter = null;
      waiting.remove(this);
      left = true;
    }

    /// Takes back its start, if it left early. By the coroutine itself: disarming is the user's code,
    /// and whoever cancels the await may be the loop's thread.
    void release() {
      if (left) {
        left = false;
        stop();
      }
    }

    /// Everybody was told the same: there is nothing to hand on, unless this was the last one told of
    /// something that must not be lost.
    @Override
    public void surrender() {
      Firing<T> left = firing;
      firing = null;
      if (left != null && --left.takers == 0 && state == State.OPEN && keeps()) {
        keep().addFirst(left);
      }
    }

    @Override
    public String toString() {
      return Event.this.toString();
    }
  }
}
