// SPDX-License-Identifier: Apache-2.0
package dev.couv.signal;

import dev.couv.loop.ChildSignal;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.uv.Callbacks;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvSignal;
import java.io.IOException;
import java.util.function.Consumer;

/// A signal that the VM has no use for, caught by libuv.
final class UvSignalHandle extends SignalHandle {
  private boolean started;

  private UvSignalHandle(EventLoop loop, Signal signal, Consumer<Signal> receiver) {
    super(loop, UvHandle.UV_SIGNAL, signal, receiver);
  }

  static UvSignalHandle create(EventLoop loop, Signal signal, Consumer<Signal> receiver)
      throws IOException {
    if (signal == Signal.CHLD) {
      ChildSignal.settle();
    }
    UvSignalHandle handle = new UvSignalHandle(loop, signal, receiver);
    int code = handle.open(UvSignal::uv_signal_init);
    if (code < 0) {
      throw Failures.of(code, "catch", "signal " + signal);
    }
    return handle;
  }

  @Override
  protected int startEvents() {
    int code =
        Disposition.take(
            signal(),
            () -> UvSignal.uv_signal_start(address(), Callbacks.SIGNAL_CB, signal().number()));
    started = code >= 0;
    return code;
  }

  @Override
  protected void stopEvents() {
    if (started) {
      started = false;
      Disposition.letGo(signal(), () -> UvSignal.uv_signal_stop(address()));
    }
  }

  @Override
  protected void onSignal(int number) {
    caught();
  }
}
