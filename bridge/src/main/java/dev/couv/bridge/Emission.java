// SPDX-License-Identifier: Apache-2.0
package dev.couv.bridge;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.error.ClosedException;
import dev.couv.sync.Gate;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What one subscriber gets, and the coroutine that makes it. The subscriber may ask and leave from any thread; everything
/// else is confined to the loop.
///
/// ```
///            begun                   cancelled by the subscriber, or a request that is none
///   WAITING ───────▶ RUNNING ─────────────────────────────────────────▶ OVER
///      │                │   the coroutine has ended, and told it           ▲
///      └────────────────┴──────────────────────────────────────────────────┘
/// ```
final class Emission<T> implements Flow.Subscription, Flows.Emitter<T> {
  private enum State {
    WAITING,
    RUNNING,
    OVER
  }

  private final Loop loop;
  private final Flows.Emitting<T> emitting;

  /// Null when it has heard the last: then nobody here refers to it.
  private volatile Flow.@Nullable Subscriber<? super T> subscriber;

  /// How many it has asked for and not been given; `Long.MAX_VALUE` for any number.
  private final AtomicLong demand = new AtomicLong();

  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

  // ---- confined to the loop

  private @Nullable Gate asked;
  private @Nullable Coroutine<Void> running;

  Emission(Loop loop, Flows.Emitting<T> emitting, Flow.Subscriber<? super T> subscriber) {
    this.loop = loop;
    this.emitting = emitting;
    this.subscriber = Objects.requireNonNull(subscriber, "subscriber");
  }

  /// Any thread. The subscriber hears of a loop that is closed as of any other failure.
  void begin() {
    Flow.Subscriber<? super T> told = Objects.requireNonNull(subscriber);
    told.onSubscribe(this);
    try {
      var _ = loop.submit(this::run).whenComplete((_, failed) -> notBegun(failed));
    } catch (ClosedException closed) {
      end(closed);
    }
  }

  /// Also if the loop ended before it came to it.
  private void notBegun(@Nullable Throwable failed) {
    if (failed != null) {
      end(failed);
    }
  }

  private void run() {
    if (!state.compareAndSet(State.WAITING, State.RUNNING)) {
      return;
    }
    asked = new Gate(demand.get() > 0);
    running = loop.spawn(this::emit).named("publisher of " + emitting);
    running.onEnd((_, failed) -> end(failed));
  }

  /// A failure is the subscriber's to hear, and not the loop's.
  private void emit() {
    try {
      emitting.emit(this);
    } catch (Cancelled | Resumed leaving) {
      throw leaving;
    } catch (Throwable failed) {
      end(failed);
    }
  }

  @Override
  public void send(T value) {
    Objects.requireNonNull(value, "value");
    ready();
    Flow.Subscriber<? super T> next = subscriber;
    if (state.get() == State.OVER || next == null) {
      throw new CancellationException("the subscriber has left");
    }
    demand.updateAndGet(asks -> asks == Long.MAX_VALUE ? asks : asks - 1);
    next.onNext(value);
  }

  @Override
  public void ready() {
    Gate gate = Objects.requireNonNull(asked, "not in the publisher's coroutine");
    while (demand.get() == 0 && state.get() != State.OVER) {
      gate.close();
      gate.await();
    }
  }

  /// Tells the subscriber how it ended, unless it knows.
  private void end(@Nullable Throwable failed) {
    Flow.Subscriber<? super T> told = subscriber;
    if (!over() || told == null) {
      return;
    }
    try {
      if (failed == null) {
        told.onComplete();
      } else {
        told.onError(failed);
      }
    } catch (Cancelled | Resumed leaving) {
      throw leaving;
    } catch (Throwable broken) { // which it must not, and which is not the loop's affair
      LoopExecutor.log("a subscriber has failed when it was told the end", broken);
    }
  }

  /// Whether it was not over before.
  private boolean over() {
    boolean first = state.getAndSet(State.OVER) != State.OVER;
    if (first) {
      subscriber = null;
    }
    return first;
  }

  @Override
  public void request(long count) {
    if (count <= 0) {
      fail(new IllegalArgumentException("asked for " + count + ": more than none, by rule 3.9"));
      return;
    }
    long before = demand.getAndUpdate(asks -> asks + count < 0 ? Long.MAX_VALUE : asks + count);
    if (before == 0) { // else nobody waits
      onLoop(this::look);
    }
  }

  private void look() {
    if (asked != null) {
      asked.open();
    }
  }

  private void fail(IllegalArgumentException misuse) {
    onLoop(
        () -> {
          end(misuse);
          stop();
        });
  }

  @Override
  public void cancel() {
    if (over()) {
      onLoop(this::stop);
    }
  }

  private void stop() {
    if (running != null) {
      running.cancel();
    }
  }

  /// A loop that is closed has ended the coroutine already.
  private void onLoop(Runnable task) {
    try {
      loop.post(task);
    } catch (ClosedException closed) {
      var _ = over();
    }
  }

  @Override
  public String toString() {
    return "subscription to " + emitting;
  }
}
