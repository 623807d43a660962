// SPDX-License-Identifier: Apache-2.0
package dev.couv.signal;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import java.io.IOException;
import java.util.function.Consumer;

/// One signal, caught for one watch or await. Each has its own: whoever catches it, libuv or the VM,
/// tells them all.
abstract sealed class SignalHandle extends ObjectHandle permits UvSignalHandle, VmSignalHandle {
  private final Signal signal;
  private final Consumer<Signal> receiver;

  SignalHandle(EventLoop loop, int handleType, Signal signal, Consumer<Signal> receiver) {
    super(loop, handleType);
    this.signal = signal;
    this.receiver = receiver;
  }

  /// Catches it from now on, until the handle is closed. The receiver is told on the loop's thread.
  static SignalHandle open(EventLoop loop, Signal signal, Consumer<Signal> receiver)
      throws IOException {
    if (SignalRules.goesByTheVm(signal)) {
      SignalHandle handle = VmSignalHandle.create(loop, signal, receiver);
      if (handle.startEvents() >= 0) {
        return handle;
      }
      handle.close();
    }
    SignalHandle handle = UvSignalHandle.create(loop, signal, receiver);
    int code = handle.startEvents();
    if (code < 0) {
      handle.close();
      throw Failures.of(code, "catch", "signal " + signal);
    }
    return handle;
  }

  final Signal signal() {
    return signal;
  }

  final void caught() {
    receiver.accept(signal);
  }

  @Override
  protected final void closing() {
    stopEvents();
  }

  @Override
  public final String toString() {
    return "signal " + signal;
  }
}
