// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.error.BusyException;
import dev.couv.uv.UvRequest;
import org.jspecify.annotations.Nullable;

/// The template of an await on a request that belongs to an object, one at a time: the next
/// entries of a directory. A subclass names the libuv call; the states are [RequestState]'s.
///
/// While a canceled request has not come back the object is busy: unlike a coroutine it cannot take
/// another block, because the late result is still the object's.
public abstract class ObjectRequest extends NativeOwner implements Operation, Lingering {
  private final EventLoop loop;

  private RequestState state = RequestState.FREED;
  private @Nullable NativeBlock block;
  private @Nullable Waiter waiter;

  /// Of the coroutine that completed it, and gives up its memory when it turns to something else.
  private @Nullable Slot keeper;

  private int status;
  private long result;

  protected ObjectRequest(EventLoop loop) {
    this.loop = loop;
  }

  protected abstract int requestSize();

  /// Calls libuv. A negative code means that it refused and will not call back.
  protected abstract int begin(long loop, long request);

  /// The result came, and its waiter will take it. In the callback: quick, no user code.
  protected void received() {}

  /// The result came or is there, and nobody will take it: release or hand on what it carries.
  protected void unclaimed() {}

  /// Whether `uv_cancel` can revoke it: requests that run on libuv's threads.
  protected boolean isRevocable() {
    return false;
  }

  protected final int status() {
    return status;
  }

  protected final long result() {
    return result;
  }

  final RequestState state() {
    return state;
  }

  @Override
  public final boolean start(Waiter newWaiter) {
    loop.checkOpen();
    switch (state) {
      case FREED, COMPLETED -> {}
      case AWAITING -> throw new BusyException(this + ": another coroutine is awaiting it");
      case CANCELED -> throw new BusyException(this + ": its canceled request has not ended yet");
    }
    NativeBlock memory = block;
    if (memory == null) {
      memory = loop.pool().take(requestSize(), this);
      block = memory;
    }
    RequestState started = state.start(); // O13, O14
    if (isRevocable()) {
      PoolThreads.needed();
    }
    int code = begin(loop.address(), memory.address);
    // Only now: libuv never calls back from within, and what it refuses changes nothing.
    if (code < 0) {
      status = code;
      if (state == RequestState.FREED) {
        free();
      }
      return true;
    }
    state = started;
    waiter = newWaiter;
    keptBy(null);
    loop.liveness().requests++;
    return false;
  }

  @Override
  public final void cancel() { // R8
    state = state.cancel();
    waiter = null;
    if (isRevocable() && block != null) {
      UvRequest.uv_cancel(block.address);
    }
  }

  /// Ends it for its waiter now, although libuv still has the request: its object is being closed, which is for the
  /// object to know. Does nothing if nobody waits.
  protected final void endEarly() {
    Waiter told = waiter;
    if (told != null) {
      cancel();
      told.completed();
    }
  }

  @Override
  public final void surrender() {
    unclaimed();
  }

  @Override
  public final boolean isAwaited() {
    return state == RequestState.AWAITING;
  }

  /// Y4: the coroutine that completed it turned to something else, or ended.
  @Override
  public final void leave() {
    state = state.leave();
    keptBy(null);
    free();
  }

  /// Its memory is kept for as long as that slot does; nobody's if it is null. It is in one slot at most.
  private void keptBy(@Nullable Slot slot) {
    Slot former = keeper;
    keeper = slot;
    if (former != null) {
      former.detach(this);
    }
    if (slot != null) {
      slot.lend(this);
    }
  }

  @Override
  protected final void onStatus(int newStatus) {
    onResult(newStatus, 0);
  }

  @Override
  protected final void onResult(int newStatus, long newResult) {
    loop.liveness().requests--;
    status = newStatus;
    result = newResult;
    Waiter told = waiter;
    waiter = null;
    if (told != null) {
      state = state.complete(); // C9
      keptBy(told.slot());
      received();
      told.completed();
    } else {
      state = state.drain(); // C10
      try {
        unclaimed(); // it may still look into the block
      } finally {
        free();
      }
    }
  }

  @Override
  protected final void loopEnds() {
    switch (state) {
      case AWAITING, CANCELED -> {
        if (block != null) {
          UvRequest.uv_cancel(block.address);
        }
      }
      case COMPLETED -> leave();
      case FREED -> free();
    }
  }

  private void free() {
    if (block != null) {
      loop.pool().give(block);
      block = null;
    }
  }
}
