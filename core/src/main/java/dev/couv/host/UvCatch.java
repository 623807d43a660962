// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvSignal;

/// A signal that the VM has no use for, caught by libuv.
final class UvCatch implements SignalCatch {
  private final int number;
  private boolean started;

  UvCatch(String signal) {
    number = SignalNumbers.of(signal);
  }

  @Override
  public int type() {
    return UvHandle.UV_SIGNAL;
  }

  @Override
  public int init(long loop, long handle) {
    if (number == UvSignal.SIGCHLD) {
      ChildSignal.settle();
    }
    return UvSignal.uv_signal_init(loop, handle);
  }

  @Override
  public int start(long handle) {
    int code =
        Disposition.take(
            number, () -> UvSignal.uv_signal_start(handle, Callbacks.SIGNAL_CB, number));
    started = code >= 0;
    return code;
  }

  @Override
  public void stop(long handle) {
    if (started) {
      started = false;
      Disposition.letGo(number, () -> UvSignal.uv_signal_stop(handle));
    }
  }

  @Override
  public int events() {
    return 1;
  }
}
