// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// A waiter's own place for the request or handle it waits on. It keeps what completed for the next
/// await of the same kind, until the waiter suspends for something else or ends: [#settle].
public final class Slot {
  private final EventLoop loop;
  private @Nullable CoroutineRequest request;
  private @Nullable CoroutineHandle handle;
  private @Nullable ObjectRequest lent;
  private @Nullable Lingering lingering;

  public Slot(EventLoop loop) {
    this.loop = loop;
  }

  /// The loop of whoever waits.
  public EventLoop loop() {
    return loop;
  }

  /// The waiter is about to suspend, or ends: what it has completed and not started again is given
  /// up (Y1, Y2, Y4).
  public void settle() {
    if (request != null && request.state() != RequestState.AWAITING) {
      CoroutineRequest left = request;
      request = null;
      left.leave();
    }
    if (handle != null && handle.state() == CoroutineHandleState.COMPLETED) {
      CoroutineHandle left = handle;
      handle = null;
      left.close();
    }
    if (lent != null) {
      ObjectRequest left = lent;
      lent = null;
      left.leave(this);
    }
    if (lingering != null && !lingering.isAwaited()) {
      Lingering left = lingering;
      lingering = null;
      left.leave();
    }
  }

  /// What the waiter's last await of that kind left armed, or null.
  public @Nullable Lingering lingering() {
    return lingering;
  }

  /// Takes charge of what an await leaves armed, instead of what another one did.
  public void linger(Lingering armed) {
    Lingering left = lingering;
    lingering = armed;
    if (left != null) {
      left.leave();
    }
  }

  /// A block for a request of that size: the one at hand if it fits.
  CoroutineRequest request(int size) {
    loop.checkOpen();
    CoroutineRequest atHand = request;
    if (atHand != null && !atHand.fits(size)) {
      request = null;
      atHand.leave();
      atHand = null;
    }
    if (atHand == null) {
      atHand = new CoroutineRequest(loop, size);
      request = atHand;
    }
    return atHand;
  }

  /// The armed handle that the operation can go on with, or null. One it cannot go on with is
  /// closed: O7.
  @Nullable CoroutineHandle handleFor(HandleOperation operation) {
    loop.checkOpen();
    CoroutineHandle armed = handle;
    if (armed == null || armed.serves(operation)) {
      return armed;
    }
    handle = null;
    armed.close();
    return null;
  }

  CoroutineHandle newHandle(HandleOperation operation) {
    CoroutineHandle fresh = new CoroutineHandle(loop, operation);
    handle = fresh;
    return fresh;
  }

  /// Remembers an object's request that the waiter has completed, so that its memory is given up
  /// when the waiter turns to something else.
  void lend(ObjectRequest completed) {
    lent = completed;
  }

  /// The block stays with libuv; the next request gets another.
  void detach(CoroutineRequest canceled) {
    if (request == canceled) {
      request = null;
    }
  }

  void detach(CoroutineHandle canceled) {
    if (handle == canceled) {
      handle = null;
    }
  }
}
