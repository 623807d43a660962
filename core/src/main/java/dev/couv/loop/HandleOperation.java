// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.UvErrors;
import org.jspecify.annotations.Nullable;

/// The template of an await on a handle in the coroutine's slot. A subclass names the libuv calls;
/// the states are [CoroutineHandleState]'s.
///
/// A wait that is left keeps the handle armed until the waiter turns to something else, which then disarms it: that may
/// take a lock, which the loop's thread must not. Whatever comes until then is for the same await again.
public abstract class HandleOperation implements Operation {
  private @Nullable CoroutineHandle handle;
  private int status;

  protected abstract int handleType();

  protected abstract int init(long loop, long handle);

  /// Starts the handle with this operation's parameters.
  protected abstract int arm(long handle);

  /// Stops it, before it is armed for something else, or closed. It may never have been started.
  protected abstract int disarm(long handle);

  /// Whether the handle that `before` armed serves this operation as it is.
  protected abstract boolean continues(HandleOperation before);

  /// How many events of this operation's a callback stands for: several, where libuv tells them by one; none, if what
  /// the handle was armed for before has sent it.
  protected int events() {
    return 1;
  }

  /// Negative if libuv refused.
  protected final int status() {
    return status;
  }

  @Override
  public final boolean start(Waiter waiter) {
    Slot slot = waiter.slot();
    EventLoop loop = slot.loop();
    loop.checkOpen();
    CoroutineHandle armed = null;
    if (slot.lingering() instanceof CoroutineHandle before && before.serves(this)) {
      armed = before;
    }
    boolean repeats = armed != null;
    if (armed == null) {
      armed = new CoroutineHandle(loop, this);
      slot.linger(armed);
    }
    int code = UvErrors.UV_ECANCELED; // also for what is thrown
    try {
      code = repeats ? armed.repeat(this, waiter) : armed.start(waiter);
    } finally {
      if (code < 0) {
        slot.detach(armed); // it is closing, or never was open
        status = code;
      }
    }
    handle = armed;
    return code != 0;
  }

  @Override
  public final void cancel() {
    started().cancel();
  }

  /// The next await of the same has it.
  @Override
  public final void surrender() {
    started().putBack();
  }

  private CoroutineHandle started() {
    if (handle == null) {
      throw new AssertionError(this + " was not started");
    }
    return handle;
  }
}
