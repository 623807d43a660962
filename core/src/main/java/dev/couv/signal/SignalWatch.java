// SPDX-License-Identifier: Apache-2.0
package dev.couv.signal;

import dev.couv.coro.Event;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Signals that are caught until the watch is closed. [#next] gives the oldest that nobody has taken, or
/// waits for the next: none is lost while nobody waits.
///
/// If several coroutines await it, each of them gets the next signal. Callbacks that are subscribed hear
/// of every signal; what they hear while nobody awaits is not kept.
public final class SignalWatch extends Event<Signal> {
  private final Set<Signal> signals;
  private @Nullable Runnable letGo;

  SignalWatch(Set<Signal> signals) {
    this.signals = signals;
  }

  /// They are caught until that is run, when the watch is closed.
  void caughtUntil(Runnable newLetGo) {
    letGo = newLetGo;
  }

  /// One has come. On the loop's thread.
  void heard(Signal signal) {
    fireOnLoop(signal, null);
  }

  /// Waits for the next signal, or gives the oldest that nobody has taken. Cancelling loses none.
  ///
  /// @throws dev.couv.error.ClosedException if the watch is closed, also while waiting
  public Signal next() {
    try {
      return await();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
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
    if (letGo != null) {
      letGo.run();
    }
  }

  @Override
  public String toString() {
    return "Signal.watch " + signals;
  }
}
