// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// Whether anything can still happen on a loop. It is counted here, not asked of libuv: a stream that stays armed
/// while nobody reads it keeps libuv alive, but wakes nobody.
///
/// Four counters and the deadlines say it exactly: requests in flight (also canceled ones: they carry memory), awaited
/// handles, closing handles, and work that runs on other threads.
///
/// Beside them are the waits that other threads may end, as those at a channel. Where it is known that others
/// use it, the wait counts like that for a handle. Where it is not, it is in doubt, and does not
/// count here: the layer above decides how long to wait for somebody.
///
/// Confined to its loop, but for [#isAsleep] and [#sleeps].
final class Liveness {
  private final TimerQueue timers;

  int requests;
  int waits;
  int openHandles;
  int closingHandles;
  int outsideWork;
  int outsideWaits;
  int doubtfulWaits;

  private volatile boolean asleep;
  private volatile int sleeps;

  Liveness(TimerQueue timers) {
    this.timers = timers;
  }

  /// Whether libuv still owes a callback that ends something.
  boolean isOwed() {
    return requests + closingHandles > 0;
  }

  boolean isWorking() {
    return isOwed() || outsideWork > 0;
  }

  boolean isWaitedFor() {
    return waits + outsideWaits > 0;
  }

  boolean isAlive() {
    return isWorking() || isWaitedFor() || timers.isAwaited();
  }

  boolean isUpToOthers() {
    return !isWorking() && waits == 0 && timers.isEmpty();
  }

  void handleClosing() {
    openHandles--;
    closingHandles++;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // written by the loop only
  void asleep(boolean newAsleep) {
    if (newAsleep) {
      sleeps++;
    }
    asleep = newAsleep;
  }

  /// Any thread.
  boolean isAsleep() {
    return asleep;
  }

  /// How often it fell asleep. Any thread.
  int sleeps() {
    return sleeps;
  }
}
