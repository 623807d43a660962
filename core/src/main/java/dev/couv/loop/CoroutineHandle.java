// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Callbacks;
import dev.couv.uv.UvHandle;
import org.jspecify.annotations.Nullable;

/// The handle in a coroutine's slot. After it fired it stays armed, so that a coroutine which awaits
/// the same thing again pays no stop and start and misses nothing; when the coroutine turns to
/// something else, the handle is closed, and its memory freed in the close callback.
final class CoroutineHandle extends NativeOwner {
  private final EventLoop loop;
  private final NativeBlock block;
  private final int type;

  private CoroutineHandleState state = CoroutineHandleState.FREED;
  private HandleOperation operation;
  private @Nullable Waiter waiter;

  /// Events that came while the coroutine was running: each ends one later await at once.
  private int backlog;

  CoroutineHandle(EventLoop loop, HandleOperation operation) {
    this.loop = loop;
    this.operation = operation;
    this.type = operation.handleType();
    this.block = loop.pool().take((int) UvHandle.uv_handle_size(type), this);
  }

  CoroutineHandleState state() {
    return state;
  }

  /// Whether the operation can go on with this handle: O6.
  boolean serves(HandleOperation next) {
    return state == CoroutineHandleState.COMPLETED && type == next.handleType();
  }

  /// O2. A negative code if libuv refused: then nobody will be told, and the handle is gone or
  /// closing.
  int start(Waiter newWaiter) {
    int code = operation.init(loop.address(), block.address);
    if (code < 0) {
      loop.pool().give(block);
      return code;
    }
    loop.handleOpened();
    state = state.start();
    waiter = newWaiter;
    code = operation.arm(block.address);
    if (code < 0) {
      waiter = null;
      close();
      return code;
    }
    loop.waitStarted();
    return code;
  }

  /// O6: the same kind of handle again. A positive code if an event is there already.
  int repeat(HandleOperation next, Waiter newWaiter) {
    HandleOperation before = operation;
    operation = next;
    if (!next.continues(before)) {
      backlog = 0;
      before.disarm(block.address);
      int code = next.arm(block.address);
      if (code < 0) {
        close();
        return code;
      }
    } else if (backlog > 0) {
      backlog--;
      return 1;
    }
    state = state.repeat();
    waiter = newWaiter;
    loop.waitStarted();
    return 0;
  }

  /// R3 or R4.
  void cancel() {
    loop.waitEnded();
    if (waiter != null) {
      waiter.slot().detach(this);
      waiter = null;
    }
    if (operation.mustFire()) {
      state = state.refuseCancel();
      loop.requestStarted(); // the callback is on its way: the loop waits for it
    } else {
      close();
    }
  }

  /// R4, Y2, O7, C6.
  void close() {
    state = state.close();
    loop.handleClosing();
    UvHandle.uv_close(block.address, Callbacks.CLOSE_CB);
  }

  @Override
  protected void onSignal(int number) {
    onEvent();
  }

  @Override
  protected void onEvent() {
    switch (state) {
      case AWAITING -> { // C5
        state = state.complete();
        loop.waitEnded();
        Waiter told = waiter;
        waiter = null;
        if (told != null) {
          told.completed();
        }
      }
      case COMPLETED -> backlog++;
      case CANCELED -> { // C6
        loop.requestEnded();
        close();
        operation.unclaimed();
      }
      case FREED, CLOSING -> throw new AssertionError("event while " + state);
    }
  }

  @Override
  protected void onClosed() { // F1
    state = state.closed();
    loop.handleClosed();
    loop.pool().give(block);
  }

  @Override
  protected void loopEnds() {
    switch (state) {
      case AWAITING -> {
        loop.waitEnded();
        close();
      }
      case CANCELED -> {
        loop.requestEnded();
        close();
      }
      case COMPLETED -> close();
      case FREED, CLOSING -> {}
    }
  }

  @Override
  public String toString() {
    return operation + " (" + state + ")";
  }
}
