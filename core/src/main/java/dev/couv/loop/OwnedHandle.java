// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.UvHandle;
import org.jspecify.annotations.Nullable;

/// The owner of a handle: the one place where handles are made, closed and freed.
///
/// Memory gets its owner only when libuv knows it, and an owner has memory only then. So whatever fails
/// on the way, in Java or in libuv, the loop has nothing to close that libuv would not know.
///
/// Ownership: the block is libuv's from [#initialise] to the close callback.
abstract class OwnedHandle extends NativeOwner {
  /// Has libuv make a handle of some memory. A negative code if it refuses.
  @FunctionalInterface
  public interface Initialiser {
    int init(long loop, long handle);
  }

  private final NativeLoop loop;
  final int type;
  private @Nullable NativeBlock block;
  private long address;

  OwnedHandle(NativeLoop loop, int type) {
    this.loop = loop;
    this.type = type;
  }

  final NativeLoop libuv() {
    return loop;
  }

  /// Where the handle is; 0 before libuv has made it one.
  public final long address() {
    return address;
  }

  /// Makes it a handle of libuv's. A negative code if libuv refused: then it is none, as after anything
  /// that is thrown.
  final int initialise(Initialiser initialiser) {
    StackRoom.toOpen();
    loop.checkOpen();
    NativePool pool = loop.pool;
    NativeBlock memory = pool.take((int) UvHandle.uv_handle_size(type));
    boolean known = false;
    try {
      int code = initialiser.init(loop.address, memory.address);
      known = code >= 0;
      if (known) {
        address = memory.address;
        block = memory;
        loop.liveness.openHandles++;
        memory.own(this);
      }
      return code;
    } finally {
      if (!known) {
        pool.give(memory);
      }
    }
  }

  /// Leaves it to libuv, which calls back when it is closed.
  @Override
  protected void onClosed() {
    freeNative();
  }

  /// Does nothing: the loop's own handles are closed last.
  @Override
  protected void loopEnds() {}

  final void closeNative() {
    UvHandle.uv_close(address, Callbacks.CLOSE_CB);
  }

  /// The close callback: the memory is the pool's again.
  final void freeNative() {
    NativeBlock memory = block;
    if (memory == null) {
      throw new AssertionError(this + " is closed without having been open");
    }
    block = null;
    loop.liveness.closingHandles--;
    loop.pool.give(memory);
  }
}
