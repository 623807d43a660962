// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The lock of a channel: held for a few field accesses, by whatever thread comes.
///
/// Why it spins: a lock of the JDK hands a coroutine that has to wait to its loop, to be run later.
/// The loop's own thread may by then wait for the same lock, behind that coroutine, and both would
/// wait for ever. Here nobody waits who is not running, and nobody who holds it can be taken off its
/// thread: between [#lock] and [#unlock] there is no suspension, no call of user code, no other lock,
/// no system call.
final class SpinLock {
  /// After so many looks a platform thread lets the system run somebody else. A virtual one does not: its
  /// loop would take that for a coroutine that blocks.
  private static final int SPINS = 200;

  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(SpinLock.class, "held", boolean.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private volatile boolean held;

  void lock() {
    if (!HELD.compareAndSet(this, false, true)) {
      lockLater();
    }
  }

  void unlock() {
    HELD.setRelease(this, false);
  }

  @SuppressWarnings("ThreadPriorityCheck") // whoever holds it may wait for this core
  private void lockLater() {
    boolean yields = !Thread.currentThread().isVirtual();
    for (int spins = 1; ; spins++) {
      if (!held && HELD.compareAndSet(this, false, true)) {
        return;
      }
      if (yields && spins % SPINS == 0) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
    }
  }
}
