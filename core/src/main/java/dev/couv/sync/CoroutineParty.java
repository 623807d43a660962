// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Exhibit;
import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import org.jspecify.annotations.Nullable;

/// A coroutine that waits at one end of a channel and for nothing else.
final class CoroutineParty<T> extends Party<T> implements Operation, Exhibit.Visitor {
  private final Passage<T> passage;

  /// Is told if the wait has not ended before.
  private @Nullable Waiter waiter;

  CoroutineParty(
      Passage<T> passage, Access via, Endpoint endpoint, @Nullable T gift, EventLoop loop) {
    super(via, endpoint, gift, loop);
    this.passage = passage;
  }

  @Override
  public Exhibit visited() {
    return passage;
  }

  @Override
  public boolean start(Waiter newWaiter) {
    waiter = newWaiter;
    return passage.enter(this, loop());
  }

  @Override
  void giveUp() {
    cancel(); // what it was given meanwhile is another's
  }

  @Override
  void tell(@Nullable EventLoop here) {
    if (isOf(here)) {
      complete();
    } else if (!loop().post(this::complete)) {
      passage.giveBack(this, here); // its loop is closed: nobody will take it
    }
  }

  private void complete() {
    if (waitEnded() && waiter != null) {
      waiter.completed();
    }
  }

  /// A partner on another thread may have been quicker, and then the post that tells is on its way.
  @Override
  public boolean tryCancel() {
    if (!passage.leave(this)) {
      return false;
    }
    waitEnded();
    return true;
  }

  @Override
  public void cancel() {
    if (!tryCancel()) {
      waitEnded();
      surrender();
    }
  }

  @Override
  public void surrender() {
    passage.giveBack(this, loop());
  }
}
