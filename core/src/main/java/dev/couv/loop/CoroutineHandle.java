// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// The handle in a coroutine's slot. After it fired it stays armed, so that a coroutine which awaits
/// the same thing again pays no stop and start and misses nothing; when the coroutine turns to
/// something else, the handle is closed, and its memory freed in the close callback.
final class CoroutineHandle extends OwnedHandle implements Lingering {
  private final EventLoop loop;
  private CoroutineHandleState state = CoroutineHandleState.FREED;
  private HandleOperation operation;
  private @Nullable Waiter waiter;

  /// Events that came while the coroutine was running: each ends one later await at once.
  private int backlog;

  CoroutineHandle(EventLoop loop, HandleOperation operation) {
    super(loop.libuv(), operation.handleType());
    this.loop = loop;
    this.operation = operation;
  }

  private EventLoop loop() {
    return loop;
  }

  CoroutineHandleState state() {
    return state;
  }

  /// Whether the operation can go on with this handle: O6.
  boolean serves(HandleOperation next) {
    return state == CoroutineHandleState.COMPLETED && type() == next.handleType();
  }

  /// O2. A negative code if libuv refused: then nobody will be told, and the handle is gone or
  /// closing.
  int start(Waiter newWaiter) {
    int code = initialise(operation::init);
    if (code >= 0) {
      state = state.start();
      code = arm(null);
    }
    if (code >= 0) {
      waiter = newWaiter;
      loop().waitStarted();
    }
    return code;
  }

  /// Starts the handle, for something else than before, or closes it if that fails.
  private int arm(@Nullable HandleOperation before) {
    boolean armed = false;
    try {
      if (before != null) {
        before.disarm(address());
      }
      int code = operation.arm(address());
      armed = code >= 0;
      return code;
    } finally {
      if (!armed) {
        close();
      }
    }
  }

  /// O6: the same kind of handle again. A positive code if an event is there already.
  int repeat(HandleOperation next, Waiter newWaiter) {
    HandleOperation before = operation;
    operation = next;
    if (!next.continues(before)) {
      backlog = 0;
      int code = arm(before);
      if (code < 0) {
        return code;
      }
    } else if (backlog > 0) {
      backlog--;
      return 1;
    }
    state = state.repeat();
    waiter = newWaiter;
    loop().waitStarted();
    return 0;
  }

  /// R3 or R4.
  void cancel() {
    loop().waitEnded();
    if (waiter != null) {
      waiter.slot().detach(this);
      waiter = null;
    }
    if (operation.mustFire()) {
      state = state.refuseCancel();
      loop().requestStarted(); // the callback is on its way: the loop waits for it
    } else {
      close();
    }
  }

  /// R4, Y2, O7, C6.
  void close() {
    state = state.close();
    loop().handleClosing();
    closeNative();
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
        loop().waitEnded();
        Waiter told = waiter;
        waiter = null;
        if (told != null) {
          told.completed();
        }
      }
      case COMPLETED -> backlog++;
      case CANCELED -> { // C6
        loop().requestEnded();
        close();
        operation.unclaimed();
      }
      case FREED, CLOSING -> throw new AssertionError("event while " + state);
    }
  }

  @Override
  protected void onClosed() { // F1
    state = state.closed();
    freeNative();
  }

  @Override
  protected void loopEnds() {
    switch (state) {
      case AWAITING -> {
        loop().waitEnded();
        close();
      }
      case CANCELED -> {
        loop().requestEnded();
        close();
      }
      case COMPLETED -> close();
      case FREED, CLOSING -> {}
    }
  }

  @Override
  public boolean isAwaited() {
    return state == CoroutineHandleState.AWAITING;
  }

  /// Y2, O7. Unless its loop has closed it.
  @Override
  public void leave() {
    if (state == CoroutineHandleState.COMPLETED) {
      close();
    }
  }

  @Override
  public String toString() {
    return operation + " (" + state + ")";
  }
}
