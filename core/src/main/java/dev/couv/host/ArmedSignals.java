// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Lingering;
import dev.couv.loop.Waiter;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The signals that a coroutine waits for, or has waited for last: they stay caught until it waits for
/// something else, so that none is lost between two equal awaits.
final class ArmedSignals implements Lingering {
  private final EventLoop loop;
  private final Set<String> signals;
  private final SignalSet set;
  private final ArrayDeque<String> arrived = new ArrayDeque<>(1);

  private @Nullable Waiter waiter;

  ArmedSignals(EventLoop loop, Set<String> signals) throws IOException {
    this.loop = loop;
    this.signals = signals;
    this.set = SignalSet.open(loop, signals, this::caught);
  }

  boolean serves(Set<String> wanted) {
    return signals.equals(wanted);
  }

  boolean hasArrived() {
    return !arrived.isEmpty();
  }

  /// The oldest, of which there is one.
  String take() {
    return arrived.remove();
  }

  void await(Waiter newWaiter) {
    waiter = newWaiter;
    loop.waitStarted();
  }

  void stopWaiting() {
    waiter = null;
    loop.waitEnded();
  }

  private void caught(String signal) {
    arrived.add(signal);
    Waiter told = waiter;
    if (told != null) {
      stopWaiting();
      told.completed();
    }
  }

  @Override
  public boolean isAwaited() {
    return waiter != null;
  }

  @Override
  public void leave() {
    set.close();
  }
}
