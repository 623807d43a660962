// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.UvAsync;
import dev.couv.uv.UvHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The bell by which another thread ends the loop's poll: that of its [EpollSet], or a `uv_async_t`. Rings that come before the
/// loop has looked are one ring.
///
/// The `uv_async_t` is there in any case, because it is also the one handle that is always referenced, without which libuv would not block at all;
/// whether the loop has anything to wait for is counted by the loop itself.
final class Wakeup extends OwnedHandle {

  private final AtomicBoolean raised = new AtomicBoolean();

  /// Threads between deciding to ring and having rung. The handle is not closed under them.
  private final AtomicInteger ringing = new AtomicInteger();

  private final @Nullable EpollSet epoll;

  private volatile boolean closed;

  Wakeup(NativeLoop loop, @Nullable EpollSet epoll) {
    super(loop, UvHandle.UV_ASYNC);
    this.epoll = epoll;
  }

  void open() {
    Failures.checkOpening(
        "uv_async_init",
        initialise((loop, async) -> UvAsync.uv_async_init(loop, async, Callbacks.ASYNC_CB)));
  }

  /// Makes the loop look at its inbox. Any thread.
  void raise() {
    if (raised.getAndSet(true)) {
      return;
    }
    ringing.incrementAndGet();
    try {
      if (!closed) {
        ring();
      }
    } finally {
      ringing.decrementAndGet();
    }
  }

  private void ring() {
    if (epoll == null) {
      UvAsync.uv_async_send(address());
    } else {
      epoll.ring();
    }
  }

  /// Re-arms the bell, before the inbox is drained.
  void lower() {
    // Read and clear, not just clear: the read is what makes earlier posts visible here.
    raised.getAndSet(false);
  }

  boolean isRaised() {
    return raised.get();
  }

  void close() {
    closed = true;
    while (ringing.get() != 0) {
      Thread.onSpinWait();
    }
    libuv().liveness.handleClosing();
    closeNative();
  }

  /// Being woken is all: the loop looks at its inbox after each poll.
  @Override
  protected void onEvent() {}

  @Override
  public String toString() {
    return "wakeup";
  }
}
