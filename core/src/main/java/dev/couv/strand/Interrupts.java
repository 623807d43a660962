// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.concurrent.atomic.AtomicBoolean;

/// The interrupts by which a cancellation reaches a strand that blocks in plain Java code. To interrupt a
/// thread may close a channel that it uses, which may take long, so others do it: [Errands]. They do it
/// late, so the strand [settles][#settle] them before it goes where they are not meant to reach it.
final class Interrupts {
  private final AtomicBoolean asked = new AtomicBoolean();

  /// Guarded by this object's monitor, under which a thread is interrupted: who settles waits for that.
  private boolean delivered;

  /// Interrupts the thread soon. On the loop, while the thread blocks.
  void ask(Thread thread) {
    asked.set(true);
    Errands.run(() -> deliver(thread));
  }

  private synchronized void deliver(Thread thread) {
    if (asked.getAndSet(false)) {
      delivered = true;
      thread.interrupt();
    }
  }

  /// On the strand's thread, when it knows of its cancellation: from now on none is under way, and the
  /// thread is not interrupted by one. True if one was.
  synchronized boolean settle() {
    asked.set(false);
    boolean was = delivered;
    delivered = false;
    if (was) {
      Thread.interrupted();
    }
    return was;
  }
}
