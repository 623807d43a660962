// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.Conditions;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import java.nio.channels.ClosedChannelException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// What is open in memory. Whoever waits for it waits for coroutines of the same loop, so the loop need not be kept alive by
/// it.
abstract class MemoryHandle implements Handle {
  final Conditions changes = new Conditions();

  private final EventLoop loop;
  private boolean open = true;
  private @Nullable Runnable whenClosed;

  MemoryHandle(EventLoop loop) {
    this.loop = loop;
  }

  /// What is done when it is closed, before those who wait are told.
  abstract void closing();

  @Override
  public final EventLoop loop() {
    return loop;
  }

  @Override
  public final boolean isOpen() {
    return open;
  }

  @Override
  public final void checkUsable() throws ClosedChannelException {
    loop.checkThread(this);
    if (!open) {
      throw Failures.closed(this);
    }
  }

  @Override
  public final void close() {
    if (open) {
      loop.checkThread(this);
      open = false;
      closing();
      if (whenClosed != null) {
        whenClosed.run();
      }
      changes.changed();
    }
  }

  @Override
  public final void whenClosed(@Nullable Runnable action) {
    whenClosed = action;
  }

  /// Waits until something holds, or this is closed. What that is about is taken afterwards: who leaves loses nothing.
  abstract class Wait implements Operation {
    private final String what;
    private @Nullable Operation wait;

    Wait(String what) {
      this.what = what;
    }

    abstract boolean holds();

    @Override
    public boolean start(Waiter waiter) {
      BooleanSupplier over = () -> !open || holds();
      Operation begun = changes.until(over, toString());
      wait = begun;
      return begun.start(waiter);
    }

    @Override
    public void cancel() {
      if (wait != null) {
        wait.cancel();
      }
    }

    @Override
    public void surrender() {}

    @Override
    public String toString() {
      return what + " " + MemoryHandle.this;
    }
  }
}
