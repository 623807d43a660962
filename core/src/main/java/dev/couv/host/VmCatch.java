// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.EventLoop;
import dev.couv.uv.UvAsync;
import dev.couv.uv.UvHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A signal that is caught by way of the VM. The VM tells it on a thread of its own, which rings the handle. One that
/// the VM does not give away is caught by another handle, by libuv, which rings this one.
///
/// The lock guards `open`: libuv must not be rung on a handle that is closing. It is held for moments, by the
/// VM's thread and by who arms or disarms the handle, but not by the loop's thread in a callback: a coroutine
/// may be waiting for it, before that thread, and would never be run.
final class VmCatch implements SignalCatch {
  private final EventLoop loop;
  private final String signal;
  private final Runnable listener = this::ringFromOutside;
  private final Object lock = new Object();

  /// The handle's address; 0 when it is not to be rung.
  private long open;

  /// Rings may be taken together, so they are counted.
  private final AtomicInteger arrived = new AtomicInteger();

  private @Nullable WatchedSignal instead;

  VmCatch(EventLoop loop, String signal) {
    this.loop = loop;
    this.signal = signal;
  }

  @Override
  public int type() {
    return UvHandle.UV_ASYNC;
  }

  @Override
  public int init(long at, long handle) {
    return UvAsync.uv_async_init(at, handle, Callbacks.ASYNC_CB);
  }

  @Override
  public int start(long handle) {
    synchronized (lock) {
      open = handle;
    }
    if (VmSignals.subscribe(signal, SignalNumbers.of(signal), listener)) {
      return 0;
    }
    instead = new WatchedSignal(loop, signal, new UvCatch(signal), this::ring);
    return instead.start();
  }

  @Override
  public void stop(long handle) {
    if (instead == null) {
      VmSignals.unsubscribe(signal, listener);
    } else {
      instead.close();
    }
    synchronized (lock) {
      open = 0;
    }
  }

  /// On a thread of the VM.
  private void ringFromOutside() {
    synchronized (lock) {
      ring();
    }
  }

  private void ring() {
    if (open != 0) {
      arrived.incrementAndGet();
      UvAsync.uv_async_send(open);
    }
  }

  @Override
  public int events() {
    return arrived.getAndSet(0);
  }
}
