// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// The template of an await on an object's own handle: a read, an accept. A subclass says what is
/// there already, and takes what an event brings; the states are [ObjectHandleState]'s.
public abstract class ObjectOperation implements Operation {
  private final ObjectHandle handle;
  private End end = End.NONE;
  private int status;

  /// How the last await ended.
  private enum End {
    NONE,
    EVENT,
    REFUSED,
    CLOSED
  }

  protected ObjectOperation(ObjectHandle handle) {
    this.handle = handle;
  }

  /// Takes what the object has at hand. True if the await needs no event.
  protected abstract boolean takeAtHand();

  /// What it took goes back to the object, for the next await.
  protected abstract void giveBack();

  /// True if the object was closed while the operation waited, or just before it would have.
  protected final boolean isClosed() {
    return end == End.CLOSED;
  }

  /// The negative code if libuv refused to start, else 0.
  protected final int refusal() {
    return end == End.REFUSED ? status : 0;
  }

  @Override
  public final boolean start(Waiter waiter) {
    handle.checkThread();
    if (!handle.isOpen()) { // since its caller last looked
      end = End.CLOSED;
      return true;
    }
    handle.checkNotAwaited();
    end = End.EVENT;
    if (takeAtHand()) {
      return true;
    }
    int code = handle.await(this, waiter);
    if (code < 0) {
      end = End.REFUSED;
      status = code;
      return true;
    }
    return false;
  }

  @Override
  public final void cancel() {
    handle.cancel();
  }

  @Override
  public final void surrender() {
    if (end == End.EVENT) {
      giveBack();
    }
  }

  final void closed() {
    end = End.CLOSED;
  }
}
