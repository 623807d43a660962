// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// Waits as a coroutine does, but has no thread: it only records that it was told.
final class TestWaiter implements Waiter {
  private final Slot slot;
  private int completions;

  TestWaiter(EventLoop loop) {
    slot = new Slot(loop);
  }

  @Override
  public Slot slot() {
    return slot;
  }

  @Override
  public void completed() {
    completions++;
  }

  /// How often it was told that what it waits for is complete.
  int completions() {
    return completions;
  }

  /// Starts the operation and suspends for it. True if it was complete already.
  boolean await(Operation operation) {
    if (operation.start(this)) {
      return true;
    }
    slot.settle();
    return false;
  }

  /// Suspends for something outside this layer, or ends.
  void turnAway() {
    slot.settle();
  }
}
