// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// The template of an await on a one-shot request in the coroutine's slot. A subclass names the
/// libuv call and what becomes of its result; the states are [RequestState]'s.
public abstract class RequestOperation implements Operation {
  private @Nullable CoroutineRequest request;
  private int status;
  private long result;
  private long secondResult;

  /// The bytes the request needs: `uv_req_size`, and room for anything that must outlive the call.
  protected abstract int requestSize();

  /// Calls libuv. A negative code means that it refused and will not call back.
  protected abstract int begin(long loop, long request);

  /// The result came, and its waiter will take it. In the callback: quick, no user code.
  protected void received() {}

  /// The result came and nobody will take it, because the waiter was resumed: release or hand on
  /// what it carries.
  protected void unclaimed() {}

  /// The result came after the waiter had left: release or hand on what it carries.
  protected void late(int lateStatus) {}

  /// Whether `uv_cancel` can revoke it: requests that run on libuv's threads.
  protected boolean isRevocable() {
    return false;
  }

  /// What libuv answered; negative for a failure.
  protected final int status() {
    return status;
  }

  /// The second word of the answer, for the requests that have one.
  protected final long result() {
    return result;
  }

  /// The third word of the answer, for the requests that have one.
  protected final long secondResult() {
    return secondResult;
  }

  @Override
  public final boolean start(Waiter waiter) {
    CoroutineRequest started = CoroutineRequest.in(waiter.slot(), requestSize());
    int code = started.start(this, waiter);
    if (code < 0) {
      status = code;
      return true;
    }
    request = started;
    return false;
  }

  @Override
  public void cancel() {
    CoroutineRequest canceled = request;
    if (canceled == null) {
      throw new AssertionError(this + " was not started");
    }
    request = null;
    canceled.abandon();
  }

  /// Ends it for its waiter now, with that code, although libuv still has the request: its object is
  /// being closed. Does nothing if it is not awaited.
  public final void endEarly(int code) {
    CoroutineRequest abandoned = request;
    if (abandoned == null) {
      return;
    }
    request = null;
    Waiter told = abandoned.abandon();
    status = code;
    if (told != null) {
      told.completed();
    }
  }

  @Override
  public void surrender() {
    unclaimed();
  }

  final void end(int newStatus, long newResult, long newSecondResult) {
    status = newStatus;
    result = newResult;
    secondResult = newSecondResult;
    request = null;
    received();
  }

  /// The result for which nobody waits any more. The status stays: a waiter that was told early may
  /// not have read it yet.
  final void endLate(int lateStatus, long lateResult) {
    result = lateResult;
    late(lateStatus);
  }
}
