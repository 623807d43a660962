// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// A waiter's own place for what it waits on. It keeps what completed for the next await of the same kind, until
/// the waiter suspends for something else or ends: [#settle].
///
/// There is room for three, which do not drive each other out: a request that is refused at once suspends nobody, and
/// what an await left armed is given up by the waiter itself, which may have to wait for a lock, and not in a callback.
public final class Slot {
  private final EventLoop loop;
  private @Nullable Lingering request;
  private @Nullable Lingering lingering;
  private @Nullable Lingering lent;

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
    if (request != null && !request.isAwaited()) {
      keepRequest(null);
    }
    if (lingering != null && !lingering.isAwaited()) {
      linger(null);
    }
    if (lent != null && !lent.isAwaited()) {
      lend(null);
    }
  }

  /// What the waiter's last await left armed, or null.
  public @Nullable Lingering lingering() {
    return lingering;
  }

  /// Takes charge of what an await leaves armed, instead of what another one did (O7).
  public void linger(@Nullable Lingering armed) {
    Lingering left = lingering;
    lingering = armed;
    if (left != null) {
      left.leave();
    }
  }

  /// The request's block that is at hand, or null.
  @Nullable Lingering request() {
    return request;
  }

  /// Takes charge of a request's block, instead of the one at hand.
  void keepRequest(@Nullable Lingering block) {
    Lingering left = request;
    request = block;
    if (left != null) {
      left.leave();
    }
  }

  /// Takes charge of an object's request that the waiter has completed, so that its memory is given up when the
  /// waiter turns to something else.
  void lend(@Nullable Lingering completed) {
    Lingering left = lent;
    lent = completed;
    if (left != null) {
      left.leave();
    }
  }

  /// Forgets it: it stays with libuv, or with its object.
  void detach(Lingering gone) {
    if (request == gone) {
      request = null;
    }
    if (lingering == gone) {
      lingering = null;
    }
    if (lent == gone) {
      lent = null;
    }
  }
}
