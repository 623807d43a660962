// SPDX-License-Identifier: Apache-2.0
package dev.couv.signal;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.VmSignals;
import dev.couv.uv.Callbacks;
import dev.couv.uv.UvAsync;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// A signal that is caught by way of the VM. The VM tells it on a thread of its own; the handle wakes the
/// loop.
///
/// The lock guards `open`: libuv must not be rung on a handle that is closing. It is held for moments, by the
/// VM's thread and by who arms or disarms the handle, but not by the loop's thread in a callback: a coroutine
/// may be waiting for it, before that thread, and would never be run.
final class VmSignalHandle extends SignalHandle {
  private final Runnable listener = this::ring;
  private final Object lock = new Object();

  private boolean open;

  /// Rings may be taken together, so they are counted.
  private final AtomicInteger arrived = new AtomicInteger();

  private VmSignalHandle(EventLoop loop, Signal signal, Consumer<Signal> receiver) {
    super(loop, UvHandle.UV_ASYNC, signal, receiver);
  }

  static VmSignalHandle create(EventLoop loop, Signal signal, Consumer<Signal> receiver)
      throws IOException {
    VmSignalHandle handle = new VmSignalHandle(loop, signal, receiver);
    int code = handle.open((at, async) -> UvAsync.uv_async_init(at, async, Callbacks.ASYNC_CB));
    if (code < 0) {
      throw Failures.of(code, "catch", "signal " + signal);
    }
    return handle;
  }

  /// Negative if the VM does not give the signal away.
  @Override
  protected int startEvents() {
    synchronized (lock) {
      open = true;
    }
    return VmSignals.subscribe(signal().name(), signal().number(), listener)
        ? 0
        : UvErrors.UV_EBUSY;
  }

  @Override
  protected void stopEvents() {
    VmSignals.unsubscribe(signal().name(), listener);
    synchronized (lock) {
      open = false;
    }
  }

  /// On a thread of the VM.
  private void ring() {
    synchronized (lock) {
      if (open) {
        arrived.incrementAndGet();
        UvAsync.uv_async_send(address());
      }
    }
  }

  @Override
  protected void onEvent() {
    for (int count = arrived.getAndSet(0); count > 0; count--) {
      caught();
    }
  }
}
