// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// The handle in a coroutine's slot. After it fired, or its wait was left, it stays armed, so that a coroutine which
/// awaits the same thing again pays no stop and start and misses nothing; when the coroutine turns to
/// something else, the handle is closed, and its memory freed in the close callback.
final class CoroutineHandle extends OwnedHandle implements Lingering {
  private final EventLoop loop;
  private CoroutineHandleState state = CoroutineHandleState.FREED;
  private HandleOperation operation;
  private @Nullable Waiter waiter;

  /// Events that came while nobody waited: each ends one later await of the same at once.
  private int backlog;

  CoroutineHandle(EventLoop loop, HandleOperation operation) {
    super(loop.libuv(), operation.handleType());
    this.loop = loop;
    this.operation = operation;
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
    int code = initialise(operation::init);
    if (code >= 0) {
      state = state.start();
      code = arm(newWaiter);
    }
    return code;
  }

  /// Starts the handle, or closes it if that fails. The waiter is there before: the event may come while whoever
  /// starts it is held up.
  private int arm(Waiter newWaiter) {
    awaitedBy(newWaiter);
    boolean armed = false;
    try {
      int code = operation.arm(address());
      armed = code >= 0;
      return code;
    } finally {
      if (!armed) {
        if (waiter != null) {
          loop.liveness().waitEnded();
          waiter = null;
        }
        close();
      }
    }
  }

  private void awaitedBy(Waiter newWaiter) {
    waiter = newWaiter;
    loop.liveness().waitStarted();
  }

  /// O6: the same kind of handle again. A positive code if an event is there already.
  int repeat(HandleOperation next, Waiter newWaiter) {
    HandleOperation before = operation;
    if (next.continues(before)) {
      operation = next;
      if (backlog > 0) {
        backlog--;
        return 1;
      }
      state = state.repeat();
      awaitedBy(newWaiter);
      return 0;
    }
    Undo.unless(() -> before.disarm(address()), this::close);
    operation = next;
    backlog = 0; // of what was awaited before
    state = state.repeat();
    return arm(newWaiter);
  }

  /// R3, and R4 put off until Y2: its waiter left. What is on its way, or comes now, is for the same await again.
  void cancel() {
    state = state.stayArmed();
    loop.liveness().waitEnded();
    waiter = null;
  }

  /// Y2, O7; or it could not be armed, or the loop ends.
  private void close() {
    state = state.close();
    loop.liveness().handleClosing();
    try {
      operation.disarm(address());
    } finally {
      closeNative();
    }
  }

  /// An event that was told and not taken is there for the next await.
  void putBack() {
    backlog++;
  }

  @Override
  protected void onSignal(int number) {
    onEvent();
  }

  @Override
  protected void onEvent() {
    for (int left = operation.events(); left > 0; left--) {
      happened();
    }
  }

  private void happened() {
    switch (state) {
      case AWAITING -> { // C5
        state = state.complete();
        loop.liveness().waitEnded();
        Waiter told = waiter;
        waiter = null;
        if (told != null) {
          told.completed();
        }
      }
      case COMPLETED -> backlog++; // C6, too
      case CLOSING -> {} // whoever disarms it is held up
      case FREED -> throw new AssertionError("event while " + state);
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
        loop.liveness().waitEnded();
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
