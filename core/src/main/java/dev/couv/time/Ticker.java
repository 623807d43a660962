// SPDX-License-Identifier: Apache-2.0
package dev.couv.time;

import dev.couv.error.BusyException;
import dev.couv.error.ClosedException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.TimerEntry;
import dev.couv.loop.TimerQueue;
import dev.couv.loop.WaitOperation;
import dev.couv.strand.Suspension;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Ticks at a fixed rate, counted from when it was made: work between two ticks does not shift the
/// later ones. Closing it wakes who waits.
public final class Ticker implements AutoCloseable {
  private final EventLoop loop;
  private final Duration period;
  private final long periodNanos;

  private long nextTick;
  private boolean closed;
  private boolean busy;
  private @Nullable Tick awaited;

  private final TimerEntry moment = TimerEntry.of(this::endAwaited);

  private Ticker(EventLoop loop, Duration period, long periodNanos) {
    this.loop = loop;
    this.period = period;
    this.periodNanos = periodNanos;
    this.nextTick = loop.clock() + periodNanos;
  }

  /// A ticker whose first tick is one period from now.
  ///
  /// @throws IllegalArgumentException if the period is not positive, or longer than 292 years
  public static Ticker every(Duration period) {
    long nanos = Time.nanos(period, "Ticker.every");
    if (nanos == 0) {
      throw new IllegalArgumentException("Ticker.every: the period must be positive");
    }
    return new Ticker(Suspension.loop("Ticker.every"), period, TimerQueue.nanos(period));
  }

  /// Waits for the next tick, and tells how many were missed since the last one that was waited for:
  /// 0 if the caller keeps up. If ticks were missed it returns at once. Cancelling loses no tick.
  ///
  /// @throws BusyException if another coroutine waits for it
  /// @throws ClosedException if it is closed, also while waiting
  public long next() {
    loop.checkThread(this);
    if (closed) {
      throw closedError();
    }
    if (busy) {
      throw new BusyException(this + ": another coroutine is already waiting for its next tick");
    }
    Tick tick = new Tick();
    busy = true; // until it has its tick: who was woken for it may not have run yet
    try {
      Suspension.await(tick);
    } finally {
      busy = false;
    }
    if (tick.cut) {
      throw closedError();
    }
    long missed = (loop.clock() - nextTick) / periodNanos;
    nextTick += (missed + 1) * periodNanos;
    return missed;
  }

  /// Whether it was closed.
  public boolean isClosed() {
    return closed;
  }

  /// Ends it: whoever waits for a tick is told so. Does nothing the second time.
  @Override
  public void close() {
    if (closed) {
      return;
    }
    loop.checkThread(this);
    closed = true;
    if (awaited != null) {
      awaited.cut = true;
    }
    endAwaited();
  }

  private void endAwaited() {
    if (awaited != null) {
      awaited.end();
    }
  }

  private ClosedException closedError() {
    return new ClosedException(this + " is closed");
  }

  @Override
  public String toString() {
    return "ticker of " + period;
  }

  /// Waiting for the next tick, or for the ticker's end.
  private final class Tick extends WaitOperation {
    /// The ticker was closed before the tick came.
    private boolean cut;

    @Override
    protected boolean enter() {
      if (nextTick - loop.clock() <= 0) {
        return true;
      }
      cut = closed; // while this waited for the clock
      if (cut) {
        return true;
      }
      awaited = this;
      loop.timers().add(moment, nextTick);
      return false;
    }

    @Override
    protected void leave() {
      awaited = null;
      loop.timers().remove(moment);
    }

    void end() {
      leave();
      told();
    }

    @Override
    public String toString() {
      return "the next tick of " + Ticker.this;
    }
  }
}
