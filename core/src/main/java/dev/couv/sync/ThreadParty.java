// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.EventLoop;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A thread that is no coroutine, and blocks at one end of a channel.
final class ThreadParty<T> extends Party<T> {
  private final Passage<T> passage;
  private final Thread thread = Thread.currentThread();
  private volatile boolean told;

  ThreadParty(Passage<T> passage, Access via, Endpoint endpoint, @Nullable T gift) {
    super(via, endpoint, gift, null);
    this.passage = passage;
  }

  @Override
  void tell(@Nullable EventLoop here) {
    told = true;
    LockSupport.unpark(thread);
  }

  @Override
  void giveUp() {
    if (!passage.leave(this)) {
      passage.giveBack(this, null);
    }
  }

  /// Blocks the calling thread until it has met somebody.
  void await() {
    if (passage.enter(this, null)) {
      return;
    }
    long patience = passage.patience(endpoint);
    long since = System.nanoTime();
    for (long left = patience; !told; ) {
      if (patience == 0) {
        LockSupport.park(via);
      } else {
        LockSupport.parkNanos(via, left);
      }
      leaveIfInterrupted();
      if (!told && patience > 0) {
        left = passage.starve(this, since, System.nanoTime(), null);
        if (left <= 0) {
          left = patience; // it is met or refused, and will be told in a moment
        }
      }
    }
  }

  /// Too late if it was met: then it only waits to be told so.
  private void leaveIfInterrupted() {
    if (!told && thread.isInterrupted() && passage.leave(this)) {
      throw new CancellationException("interrupted while waiting at " + via);
    }
  }
}
