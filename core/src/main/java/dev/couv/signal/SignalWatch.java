// SPDX-License-Identifier: Apache-2.0
package dev.couv.signal;

import dev.couv.coro.Event;
import dev.couv.loop.EventLoop;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Signals that are caught until the watch is closed. `await` gives the oldest that nobody has taken, or
/// waits for the next: none is lost while nobody waits.
///
/// If several coroutines await it, each of them gets the next signal. Callbacks that are subscribed hear
/// of every signal; what they hear while nobody awaits is not kept.
public final class SignalWatch extends Event<Signal> {
  private final Set<Signal> signals;
  private @Nullable SignalSet set;

  private SignalWatch(Set<Signal> signals) {
    this.signals = signals;
  }

  static SignalWatch open(EventLoop loop, Set<Signal> signals) throws IOException {
    SignalWatch watch = new SignalWatch(signals);
    watch.set = SignalSet.open(loop, signals, signal -> watch.fireOnLoop(signal, null));
    return watch;
  }

  @Override
  protected boolean keeps() {
    return true;
  }

  @Override
  protected boolean keepsAlive() {
    return true;
  }

  @Override
  protected void onDispose() {
    if (set != null) {
      set.close();
    }
  }

  @Override
  public String toString() {
    return "Signal.watch " + signals;
  }
}
