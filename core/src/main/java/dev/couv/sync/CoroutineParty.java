// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import org.jspecify.annotations.Nullable;

/// A coroutine that waits at one end of a channel and for nothing else.
final class CoroutineParty<T> extends LoopParty<T> implements Operation {
  private @Nullable Waiter waiter;

  CoroutineParty(Chan<T> via, Endpoint endpoint, @Nullable T gift, EventLoop loop) {
    super(via, endpoint, gift, loop);
  }

  @Override
  public boolean start(Waiter newWaiter) {
    waiter = newWaiter;
    if (via.passage().enter(this, loop)) {
      waiter = null;
      return true;
    }
    waitStarted();
    return false;
  }

  @Override
  void tell(@Nullable EventLoop here) {
    if (here == loop) {
      complete();
    } else if (!loop.post(this::complete)) {
      via.passage().giveBack(this, here); // its loop is closed: nobody will take it
    }
  }

  private void complete() {
    Waiter told = waiter;
    waiter = null;
    if (told != null) {
      waitEnded();
      told.completed();
    }
  }

  /// A partner on another thread may have been quicker, and then the post that tells is on its way.
  @Override
  public boolean tryCancel() {
    if (!via.passage().leave(this)) {
      return false;
    }
    waiter = null;
    waitEnded();
    return true;
  }

  @Override
  public void cancel() {
    if (!tryCancel()) {
      waiter = null;
      waitEnded();
      surrender();
    }
  }

  @Override
  public void surrender() {
    via.passage().giveBack(this, loop);
  }

  @Override
  public String toString() {
    return words(via, endpoint);
  }

  /// What is awaited at that end.
  static String words(Chan<?> chan, Endpoint endpoint) {
    return switch (endpoint) {
      case IN -> "a value from " + chan;
      case OUT -> "a receiver of " + chan;
      case ANY -> "somebody at " + chan;
    };
  }
}
