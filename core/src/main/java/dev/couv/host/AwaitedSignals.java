// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Slot;
import dev.couv.loop.Waiter;
import dev.couv.world.SignalWait;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Waits for the first of several signals, each of which needs a handle of its own: so they are no coroutine handle,
/// as [AwaitedSignal] is. What it has armed stays in the coroutine's slot, whichever way it ends, until the coroutine
/// turns to something else.
final class AwaitedSignals implements SignalWait {
  private final EventLoop loop;
  private final Set<String> signals;

  private @Nullable ArmedSignals armed;
  private @Nullable IOException failure;

  AwaitedSignals(EventLoop loop, Set<String> signals) {
    this.loop = loop;
    this.signals = signals;
  }

  @Override
  public boolean start(Waiter waiter) {
    Slot slot = waiter.slot();
    ArmedSignals at;
    if (slot.lingering() instanceof ArmedSignals before && before.serves(signals)) {
      at = before;
    } else {
      try {
        at = new ArmedSignals(loop, signals);
      } catch (IOException e) {
        failure = e;
        return true;
      }
      slot.linger(at);
    }
    armed = at;
    if (at.hasArrived()) {
      return true;
    }
    at.await(waiter);
    return false;
  }

  @Override
  public void cancel() {
    if (armed != null) {
      armed.stopWaiting();
    }
  }

  /// It was not taken yet, and waits for the next await.
  @Override
  public void surrender() {}

  @Override
  public String finish() throws IOException {
    if (failure != null) {
      throw failure;
    }
    if (armed == null) {
      throw new AssertionError(this + " was not started");
    }
    return armed.take();
  }

  @Override
  public String toString() {
    return "Signal.await " + signals;
  }
}
