// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Lingering;
import dev.couv.loop.Slot;
import dev.couv.loop.WaitOperation;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Waits for the first of several signals, by [Signals#open]. What it has opened stays in the coroutine's slot, whichever way it
/// ends, until the coroutine turns to something else; so does what came and was not taken.
public final class AwaitedSignals extends WaitOperation implements Request<String> {
  private final Signals world;
  private final EventLoop loop;
  private final Set<String> signals;

  private @Nullable Armed armed;
  private @Nullable IOException failure;

  public AwaitedSignals(Signals world, EventLoop loop, Set<String> signals) {
    this.world = world;
    this.loop = loop;
    this.signals = signals;
  }

  @Override
  protected boolean enter() {
    Armed at;
    try {
      at = armedIn(waiter().slot());
    } catch (IOException e) {
      failure = e;
      return true;
    }
    armed = at;
    if (!at.arrived.isEmpty()) {
      return true;
    }
    at.awaiting = this;
    loop.liveness().waitStarted();
    return false;
  }

  private Armed armedIn(Slot slot) throws IOException {
    if (slot.lingering() instanceof Armed before && before.signals.equals(signals)) {
      return before;
    }
    Armed fresh = new Armed(world, loop, signals);
    slot.linger(fresh);
    return fresh;
  }

  @Override
  protected void leave() {
    armed().awaiting = null;
    loop.liveness().waitEnded();
  }

  /// What came and was not taken waits for the next await.
  @Override
  public String finish() throws IOException {
    if (failure != null) {
      throw failure;
    }
    return armed().arrived.remove();
  }

  private Armed armed() {
    if (armed == null) {
      throw new AssertionError(this + " was not started");
    }
    return armed;
  }

  @Override
  public String toString() {
    return "Signal.await " + signals;
  }

  /// The signals that a coroutine waits for, or has waited for last: they stay caught until it waits for
  /// something else, so that none is lost between two equal awaits.
  private static final class Armed implements Lingering {
    final Set<String> signals;
    final ArrayDeque<String> arrived = new ArrayDeque<>(1);
    private final Runnable letGo;
    @Nullable AwaitedSignals awaiting;

    Armed(Signals world, EventLoop loop, Set<String> signals) throws IOException {
      this.signals = signals;
      this.letGo = world.open(loop, signals, this::heard);
    }

    private void heard(String signal) {
      arrived.add(signal);
      AwaitedSignals told = awaiting;
      if (told != null) {
        told.leave();
        told.told();
      }
    }

    @Override
    public boolean isAwaited() {
      return awaiting != null;
    }

    @Override
    public void leave() {
      letGo.run();
    }
  }
}
