// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.EventLoop;
import dev.couv.loop.TimerEntry;
import org.jspecify.annotations.Nullable;

/// A party that is a coroutine, by itself or as one member of its select. Its loop counts the wait; see
/// [Passage] for how.
abstract class LoopParty<T> extends Party<T> {
  private enum Counted {
    NOT,
    IN_DOUBT,
    EXPECTED
  }

  final EventLoop loop;

  // Loop thread.
  private Counted counted = Counted.NOT;
  private @Nullable Starvation starvation;

  LoopParty(Chan<T> via, Endpoint endpoint, @Nullable T gift, EventLoop loop) {
    super(via, endpoint, gift);
    this.loop = loop;
  }

  /// It waits from now on. Loop thread.
  final void waitStarted() {
    Passage<T> passage = via.passage();
    if (passage.isShared()) {
      counted = Counted.EXPECTED;
      loop.outsideWaitStarted();
    } else {
      counted = Counted.IN_DOUBT;
      loop.doubtfulWaitStarted();
    }
    long patience = passage.patience(endpoint);
    if (patience > 0) {
      starvation = new Starvation();
      loop.timers().add(starvation, loop.clock() + patience);
    }
  }

  /// It does not wait any more, for whatever reason. Loop thread; does nothing the second time.
  final void waitEnded() {
    switch (counted) {
      case NOT -> {}
      case IN_DOUBT -> loop.doubtfulWaitEnded();
      case EXPECTED -> loop.outsideWaitEnded();
    }
    counted = Counted.NOT;
    if (starvation != null) {
      loop.timers().remove(starvation);
      starvation = null;
    }
  }

  @Override
  final void recount() {
    if (counted == Counted.IN_DOUBT) {
      counted = Counted.EXPECTED;
      loop.doubtfulWaitEnded();
      loop.outsideWaitStarted();
    }
  }

  /// The channel closes itself if nobody comes to its other end for so long.
  private final class Starvation extends TimerEntry {
    private final long since = loop.clock();

    @Override
    protected void due() {
      Passage<T> passage = via.passage();
      long left = passage.starve(LoopParty.this, since, loop.clock(), loop);
      if (left > 0) {
        loop.timers().add(this, loop.clock() + left);
      }
    }
  }
}
