// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.HandleOperation;
import dev.couv.world.Request;
import java.io.IOException;

/// Waits for one signal: a coroutine handle. So the signal stays caught until the coroutine turns to something else, also
/// if the wait is left: what lets go of a signal takes a lock, which is for the coroutine to wait for and not for the
/// loop's thread, and the same await again misses nothing.
final class AwaitedSignal extends HandleOperation implements Request<String> {
  private final String signal;
  private SignalCatch caught;

  AwaitedSignal(EventLoop loop, String signal) {
    this.signal = signal;
    this.caught = SignalRules.wayOf(loop, signal);
  }

  @Override
  protected int handleType() {
    return caught.type();
  }

  @Override
  protected int init(long loop, long handle) {
    return caught.init(loop, handle);
  }

  @Override
  protected int arm(long handle) {
    return caught.start(handle);
  }

  @Override
  protected int disarm(long handle) {
    caught.stop(handle);
    return 0;
  }

  /// Then what was caught for that one is caught for this.
  @Override
  protected boolean continues(HandleOperation before) {
    boolean same = before instanceof AwaitedSignal other && other.signal.equals(signal);
    if (same) {
      caught = ((AwaitedSignal) before).caught;
    }
    return same;
  }

  @Override
  protected int events() {
    return caught.events();
  }

  @Override
  public String finish() throws IOException {
    Failures.check(status(), "catch", "signal " + signal);
    return signal;
  }

  @Override
  public String toString() {
    return "Signal.await [" + signal + "]";
  }
}
