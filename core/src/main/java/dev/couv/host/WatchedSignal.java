// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.ObjectHandle;

/// One signal, caught until the handle is closed.
final class WatchedSignal extends ObjectHandle {
  private final String signal;
  private final SignalCatch caught;
  private final Runnable receiver;

  WatchedSignal(EventLoop loop, String signal, SignalCatch caught, Runnable receiver) {
    super(loop, caught.type());
    this.signal = signal;
    this.caught = caught;
    this.receiver = receiver;
  }

  /// Catches it from now on. The receiver is told on the loop's thread. A negative code if that is refused: then it
  /// is closed.
  int start() {
    int code = open(caught::init);
    if (code >= 0) {
      code = startEvents();
      if (code < 0) {
        close();
      }
    }
    return code;
  }

  @Override
  protected int startEvents() {
    return caught.start(address());
  }

  @Override
  protected void stopEvents() {
    caught.stop(address());
  }

  @Override
  protected void onSignal(int number) {
    onEvent();
  }

  @Override
  protected void onEvent() {
    for (int left = caught.events(); left > 0; left--) {
      receiver.run();
    }
  }

  @Override
  protected void closing() {
    stopEvents();
  }

  @Override
  public String toString() {
    return "signal " + signal;
  }
}
