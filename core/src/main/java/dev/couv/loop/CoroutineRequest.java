// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.UvRequest;
import org.jspecify.annotations.Nullable;

/// The request block in a coroutine's slot: native memory, its state, and whom to tell. Used again
/// for the coroutine's next request while it is not canceled; a canceled one is left to libuv until
/// its callback comes, and the slot gets another.
final class CoroutineRequest extends NativeOwner implements Lingering {
  private final EventLoop loop;
  private final NativeBlock block;

  private RequestState state = RequestState.FREED;
  private @Nullable RequestOperation operation;
  private @Nullable Waiter waiter;

  private CoroutineRequest(EventLoop loop, int size) {
    this.loop = loop;
    this.block = loop.pool().take(size, this);
  }

  /// A block for a request of that size: the one at hand in the slot if it fits.
  static CoroutineRequest in(Slot slot, int size) {
    slot.loop().checkOpen();
    if (slot.request() instanceof CoroutineRequest atHand) {
      if (size <= atHand.block.capacity) {
        return atHand;
      }
      slot.keepRequest(null); // before another is taken: two are more than a waiter needs
    }
    CoroutineRequest fresh = new CoroutineRequest(slot.loop(), size);
    slot.keepRequest(fresh);
    return fresh;
  }

  RequestState state() {
    return state;
  }

  /// O1, O3. A negative code if libuv refused: then nobody will be told.
  int start(RequestOperation newOperation, Waiter newWaiter) {
    RequestState started = state.start();
    if (newOperation.isRevocable()) {
      PoolThreads.needed();
    }
    int code = newOperation.begin(loop.address(), block.address);
    // Only now: libuv never calls back from within, and what it refuses changes nothing.
    if (code >= 0) {
      state = started;
      operation = newOperation;
      waiter = newWaiter;
      loop.liveness().requests++;
    }
    return code;
  }

  /// R1. The block stays libuv's until the callback, the operation with it. Returns who waited.
  @Nullable Waiter abandon() {
    state = state.cancel();
    RequestOperation canceled = operation;
    Waiter left = waiter;
    waiter = null;
    if (left != null) {
      left.slot().detach(this);
    }
    if (canceled != null && canceled.isRevocable()) {
      // Refused (EBUSY) when a worker already runs it: then it ends by itself.
      UvRequest.uv_cancel(block.address);
    }
    return left;
  }

  @Override
  public boolean isAwaited() {
    return state == RequestState.AWAITING;
  }

  /// Y1: the coroutine turned to something else, or ended.
  @Override
  public void leave() {
    if (state != RequestState.FREED) { // never started: libuv refused
      state = state.leave();
    }
    loop.pool().give(block);
  }

  @Override
  protected void onStatus(int status) {
    onResult(status, 0);
  }

  @Override
  protected void onResult(int status, long result) {
    onResult(status, result, 0);
  }

  @Override
  protected void onResult(int status, long result, long second) {
    loop.liveness().requests--;
    RequestOperation ended = operation;
    Waiter told = waiter;
    operation = null;
    waiter = null;
    if (ended == null) {
      throw new AssertionError("callback of a request that is " + state);
    }
    if (told != null) {
      state = state.complete(); // C1
      ended.end(status, result, second);
      told.completed();
    } else {
      state = state.drain(); // C2
      try {
        ended.endLate(status, result); // it may still look into the block
      } finally {
        loop.pool().give(block);
      }
    }
  }

  @Override
  protected void loopEnds() {
    if (state == RequestState.AWAITING || state == RequestState.CANCELED) {
      UvRequest.uv_cancel(block.address);
    } else {
      leave();
    }
  }

  @Override
  public String toString() {
    return operation == null ? "request block " + state : operation + " (" + state + ")";
  }
}
