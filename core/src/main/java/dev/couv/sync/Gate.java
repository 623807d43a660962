// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Awaitable;
import dev.couv.coro.LoopBound;
import dev.couv.coro.Outcome;
import dev.couv.loop.WaitQueue;
import dev.couv.strand.Sources;
import dev.couv.strand.Suspension;
import org.jspecify.annotations.Nullable;

/// Open or closed: whoever comes while it is closed waits until it opens.
///
/// Opening lets everybody through who waits at that moment, in the order they came, even if it is
/// closed again before they run. Belongs to its loop.
public final class Gate implements Awaitable<@Nullable Void>, LoopBound {
  static {
    Sources.show(Gate.class, gate -> gate.passing);
  }

  private final Home home = new Home();
  private final Queue queue = new Queue();

  @SuppressWarnings("NullAway") // nothing is wanted, and nothing brought
  private final Acquisition<@Nullable Void, @Nullable Void> passing =
      new Acquisition<>(
          this,
          () -> queue,
          null,
          () -> Outcome.<@Nullable Void>value(null),
          () -> home.enter(this, "Gate.await"),
          "a gate to open");

  private boolean open;

  /// A closed gate.
  public Gate() {
    this(false);
  }

  /// A gate that is open or closed to begin with.
  public Gate(boolean open) {
    this.open = open;
  }

  /// Opens it and lets everybody through.
  public void open() {
    home.check(this, "Gate.open");
    open = true;
    queue.serve();
  }

  /// Closes it: who comes from now on waits.
  public void close() {
    home.check(this, "Gate.close");
    open = false;
  }

  /// Whether whoever comes goes through without waiting.
  public boolean isOpen() {
    home.check(this, "Gate.isOpen");
    return open;
  }

  /// Whether whoever comes waits.
  public boolean isClosed() {
    home.check(this, "Gate.isClosed");
    return !open;
  }

  /// Waits until it is open.
  @Override
  @SuppressWarnings("NullAway") // there is only null to return
  public @Nullable Void await() {
    home.enter(this, "Gate.await");
    Suspension.await(queue.waiting(null));
    return null;
  }

  /// Whether the caller may use it: it is a coroutine of the gate's loop, or the loop's thread.
  @Override
  public boolean isHere() {
    return home.isHere();
  }

  @Override
  public String toString() {
    return open ? "an open gate" : "a closed gate";
  }

  private final class Queue extends WaitQueue<@Nullable Void> {
    @Override
    protected boolean isReady(@Nullable Void want) {
      return open;
    }

    @Override
    protected String describe(@Nullable Void want) {
      return "a gate to open";
    }
  }
}
