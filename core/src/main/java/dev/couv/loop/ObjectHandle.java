// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.error.BusyException;
import dev.couv.uv.UvErrors;
import java.nio.channels.ClosedChannelException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The native handle of an object that is awaited in one direction at a time: a stream being read, a
/// listener being accepted from. The states are [ObjectHandleState]'s.
///
/// After an event the handle stays started although nobody waits: the next await then costs no
/// system call. Only an event that finds nobody twice in a row stops it, and leaves what it announced
/// where it is, in the kernel.
///
/// Ownership: the object owns the handle until it closes it; libuv owns the memory from then until
/// the close callback.
public abstract class ObjectHandle extends OwnedHandle {
  private final EventLoop loop;

  private ObjectHandleState state = ObjectHandleState.FREED;
  private @Nullable ObjectOperation operation;
  private @Nullable Waiter waiter;
  private @Nullable Runnable whenClosed;

  /// Requests of other objects that libuv uses this handle for.
  private int pins;

  /// If others were told of it, else negative.
  private int descriptor = -1;

  /// Closed while it was pinned: libuv is told when the last pin goes.
  private boolean closePostponed;

  /// Whether an event has found nobody since somebody last waited.
  private boolean refused;

  /// An object whose handle is of that libuv type, and not open yet.
  protected ObjectHandle(EventLoop loop, int handleType) {
    super(loop.libuv(), handleType);
    this.loop = loop;
  }

  public final EventLoop loop() {
    return loop;
  }

  /// Has libuv make its handle, when the object is complete: from then on its callbacks may come, and it
  /// must be closed. A negative code if libuv refused: then there is nothing to close.
  protected final int open(Initialiser initialiser) {
    int code = initialise(initialiser);
    if (code >= 0) {
      state = state.open();
    }
    return code;
  }

  /// It has that descriptor, as whoever asked for it knows now: nobody else is to use it.
  public final void has(int newDescriptor) {
    descriptor = newDescriptor;
    OwnDescriptors.claim(newDescriptor, this);
  }

  /// Makes libuv report events, for an [ObjectOperation] that is awaited.
  protected int startEvents() {
    throw new AssertionError(this + " is started from its opening to its closing");
  }

  protected void stopEvents() {}

  /// The object is about to be closed: tells those who wait for anything but [ObjectOperation]s.
  protected void closing() {}

  public final boolean isOpen() {
    return state.isOpen();
  }

  final ObjectHandleState state() {
    return state;
  }

  /// Throws what a call on a closed object, or from a foreign thread, deserves.
  public final void checkUsable() throws ClosedChannelException {
    checkThread();
    if (!state.isOpen()) {
      throw Failures.closed(this);
    }
  }

  final void checkThread() {
    loop().checkThread(this);
  }

  /// Throws if another coroutine awaits this object already.
  public final void checkNotAwaited() {
    if (operation != null) {
      throw new BusyException(this + ": another coroutine is already awaiting " + operation);
    }
  }

  /// The operation somebody waits for, if any.
  protected final @Nullable ObjectOperation awaited() {
    return operation;
  }

  /// Wakes the waiter: C8.
  protected final void complete() {
    state = state.complete();
    operation = null;
    loop().liveness().waitEnded();
    tellWaiter();
  }

  private void tellWaiter() {
    Waiter told = waiter;
    waiter = null;
    if (told != null) {
      told.completed();
    }
  }

  /// An event came although nobody waits: the first is let pass, because whoever waits next is most likely on its way.
  protected final void refuse() {
    if (refused) {
      stopIdle();
    }
    refused = !refused;
  }

  /// An event came although nobody waits: Y3.
  protected final void stopIdle() {
    if (state == ObjectHandleState.COMPLETED) {
      state = state.stop();
      stopEvents();
    }
  }

  /// Closes the handle and wakes whoever awaits it, to be told so: G1, G2, G3. Does
  /// nothing if it is closed already.
  public final void close() {
    if (!state.isOpen()) {
      return;
    }
    checkThread();
    try {
      beginClose();
    } finally {
      if (pins > 0) {
        closePostponed = true;
      } else {
        closeNative();
      }
    }
  }

  /// Likewise, for handles with another way to close, which gets the handle's address and has libuv
  /// close it in whatever way. It must be open, and not pinned.
  protected final void closeBy(LongConsumer closer) {
    try {
      beginClose();
    } finally {
      closer.accept(address());
    }
  }

  /// libuv uses the handle for another object's request from now on: it is passed to another process.
  /// Closing it meanwhile ends everything but libuv's part.
  public final void pin() {
    pins++;
  }

  /// That request has ended.
  public final void unpin() {
    if (--pins == 0 && closePostponed) {
      closePostponed = false;
      closeNative();
    }
  }

  /// Whether libuv uses it for another object's request now.
  public final boolean isPinned() {
    return pins > 0;
  }

  /// What else is to be done when it is closed, by whomever, instead of what was asked for before; null for nothing.
  public final void whenClosed(@Nullable Runnable action) {
    whenClosed = action;
  }

  /// Everything about closing but the libuv call, which must follow whatever is thrown here.
  private void beginClose() {
    state = state.close();
    OwnDescriptors.release(descriptor, this);
    loop().liveness().handleClosing();
    ObjectOperation left = operation;
    operation = null;
    try {
      if (left != null) {
        loop().liveness().waitEnded();
        left.closed();
        tellWaiter();
      }
    } finally {
      try {
        if (whenClosed != null) {
          whenClosed.run();
        }
      } finally {
        closing();
      }
    }
  }

  @Override
  protected final void onClosed() { // F4
    state = state.closed();
    freeNative();
  }

  @Override
  protected final void loopEnds() {
    if (state.isOpen()) {
      try {
        beginClose();
      } finally {
        closeNative();
      }
    } else if (closePostponed) {
      closePostponed = false; // the object whose request it is closes now, too
      closeNative();
    }
  }

  /// O11, O12. A negative code if libuv refused: then nobody will be told.
  final int await(ObjectOperation newOperation, Waiter newWaiter) {
    boolean started = state == ObjectHandleState.COMPLETED;
    state = state.await();
    // Before the call: libuv may ask for a buffer from within it.
    operation = newOperation;
    waiter = newWaiter;
    refused = false;
    loop().liveness().waitStarted();
    if (!started) {
      int code = UvErrors.UV_ENOMEM;
      try {
        code = startEvents();
      } finally {
        if (code < 0) {
          leaveAwait();
        }
      }
      return code;
    }
    return 0;
  }

  /// R7: stops the events, so that nothing is taken from the kernel for nobody.
  final void cancel() {
    leaveAwait();
    stopEvents();
  }

  private void leaveAwait() {
    state = state.stop();
    operation = null;
    waiter = null;
    loop().liveness().waitEnded();
  }
}
