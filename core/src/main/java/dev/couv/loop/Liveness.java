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
public final class Liveness {
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

  /// Whether something is on its way that no deadline explains: a virtual clock must not jump.
  public boolean isWorking() {
    return isOwed() || outsideWork > 0;
  }

  /// Whether somebody waits for a handle, without a request: a read, an accept, a signal; or for
  /// another thread.
  public boolean isWaitedFor() {
    return waits + outsideWaits > 0;
  }

  /// Whether an operation in flight can still wake somebody or owes a callback. Deadlines count too, unless
  /// they are hidden.
  public boolean isAlive() {
    return isWorking() || isWaitedFor() || timers.isAwaited();
  }

  /// Whether nothing of its own can wake the loop, if anything: only other threads or loops.
  public boolean isUpToOthers() {
    return !isWorking() && waits == 0 && timers.isEmpty();
  }

  /// Whether somebody waits for what another thread or loop might bring, if there is one that knows of it.
  public boolean hasDoubtfulWaits() {
    return doubtfulWaits > 0;
  }

  /// Somebody waits for what a handle, or another thread, will bring. The loop stays alive for it.
  public void waitStarted() {
    waits++;
  }

  public void waitEnded() {
    waits--;
  }

  /// Work on another thread will post its end.
  public void outsideWorkStarted() {
    outsideWork++;
  }

  public void outsideWorkEnded() {
    outsideWork--;
  }

  void handleClosing() {
    openHandles--;
    closingHandles++;
  }

  /// It waits for others and for nothing else, or does not any more. Told by the layer above.
  @SuppressWarnings("NonAtomicVolatileUpdate") // written by the loop only
  public void asleep(boolean newAsleep) {
    if (newAsleep) {
      sleeps++;
    }
    asleep = newAsleep;
  }

  /// Any thread.
  boolean isAsleep() {
    return asleep;
  }

  /// How often it fell asleep: unchanged if it has slept on since. Any thread.
  public int sleeps() {
    return sleeps;
  }
}
