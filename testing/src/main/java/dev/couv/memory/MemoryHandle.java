// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Line;
import dev.couv.loop.WaitOperation;
import dev.couv.world.Handle;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// What a program has open on a machine in memory, for one of its loops.
abstract class MemoryHandle implements Handle {
  private final MemoryProcess process;
  private final EventLoop loop;
  private final Line<Until> waiting = new Line<>();
  private boolean open = true;
  private @Nullable Runnable whenClosed;

  @SuppressWarnings("this-escape") // it is only kept
  MemoryHandle(MemoryProcess process, EventLoop loop) {
    this.process = process;
    this.loop = loop;
    process.opened(this);
  }

  /// What is done when it is closed, before those who wait are told.
  abstract void closing();

  final MemoryProcess process() {
    return process;
  }

  final Node node() {
    return process.node();
  }

  /// Whether its process has ended: nothing reaches anybody any more.
  final boolean isCutOff() {
    return process.isOver();
  }

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
      process.closed(this);
      closing();
      if (whenClosed != null) {
        whenClosed.run();
      }
      changed();
    }
  }

  @Override
  public final void whenClosed(@Nullable Runnable action) {
    whenClosed = action;
  }

  /// Those who wait look again.
  final void changed() {
    for (Until wait = waiting.first(); wait != null; ) {
      Until next = waiting.next(wait);
      if (!open || wait.holds()) {
        wait.over();
      }
      wait = next;
    }
  }

  /// Waits until something holds, or this is closed. What that is about is taken afterwards: who leaves loses nothing.
  abstract class Until extends WaitOperation {
    private final String what;

    Until(String what) {
      this.what = what;
    }

    /// Looks, and changes nothing.
    abstract boolean holds();

    @Override
    protected boolean enter() {
      if (!open || holds()) {
        return true;
      }
      waiting.add(this);
      loop.liveness().waitStarted();
      return false;
    }

    @Override
    protected final void leave() {
      if (leaveLine()) {
        loop.liveness().waitEnded();
      }
    }

    private void over() {
      leave();
      told();
    }

    @Override
    public String toString() {
      return what + " " + MemoryHandle.this;
    }
  }
}
