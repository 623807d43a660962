// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// The template of an await on work that a thread of Java does elsewhere, and that posts its end: a call
/// that blocks, a step of a worker. What a request is to libuv's threads, this is to the JVM's, without memory of libuv's.
///
/// ```
///   start ─▶ begin ─▶ under way ─┬─ ended: the waiter goes on, and takes what the work has left
///                                └─ cancel: the work goes on, and what it leaves is dropped
/// ```
///
/// The loop runs for as long as somebody waits for it.
public abstract class OutsideWork<T extends @Nullable Object> extends WaitOperation {
  private final EventLoop loop;

  // Written by the other thread before it posts, read by the loop after.
  private @Nullable T result;
  private @Nullable Throwable failure;

  protected OutsideWork(EventLoop loop) {
    this.loop = loop;
  }

  /// Hands the work over. It may have ended when this returns; if it throws, nothing has begun.
  protected abstract void begin();

  @Override
  protected final boolean enter() {
    loop.liveness()
        .outsideWorkStarted(); // before: the work may be over while this still waits for a lock
    try {
      begin();
    } catch (Throwable refused) {
      loop.liveness().outsideWorkEnded();
      throw refused;
    }
    return false;
  }

  /// The work is over, and has left that. On the thread that did it.
  public final void ended(@Nullable T newResult, @Nullable Throwable newFailure) {
    result = newResult;
    failure = newFailure;
    // Set before the work began, so whoever sees nobody here knows that the waiter has left: a loop
    // is not
    // woken for that. A closed loop has told its coroutines already.
    if (isAwaited()) {
      loop.post(this::tell);
    }
  }

  /// What it has left, for whoever waited for it.
  @SuppressWarnings("NullAway") // null only where T allows it
  public final T result() throws Exception {
    return switch (failure) {
      case null -> result;
      case Exception exception -> throw exception;
      case Error error -> throw error;
      default -> throw new AssertionError(failure);
    };
  }

  private void tell() {
    if (isAwaited()) {
      loop.liveness().outsideWorkEnded();
      told();
    }
  }

  @Override
  protected void leave() {
    loop.liveness().outsideWorkEnded();
  }
}
