// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.UvLoop;
import java.util.List;

/// A `uv_loop_t`, the blocks of its handles and requests, and the receiver of its callbacks. Whoever owns a block is
/// told of what libuv says about it; what fails there is kept, and thrown when libuv's turn is over.
///
/// Confined to its loop, but for [#isClosed].
final class NativeLoop {
  final int number;
  final long address;
  private final long size;
  private final Registry registry = new Registry();
  final NativePool pool;
  final Liveness liveness;
  final Escaped escaped = new Escaped();

  private Runnable interlude = () -> {};

  /// Whether `uv_run` serves events on behalf of [#turn], and not to end the loop.
  private boolean serving;

  private volatile boolean closed;

  NativeLoop(Liveness liveness) {
    this.liveness = liveness;
    size = UvLoop.uv_loop_size();
    address = NativeMemory.allocate(size);
    try {
      number = Dispatch.add(this);
    } catch (Throwable failed) {
      NativeMemory.free(address, size);
      throw failed;
    }
    pool = new NativePool(number, registry);
    int code = UvLoop.uv_loop_init(address);
    if (code < 0) {
      free();
      Failures.checkOpening("uv_loop_init", code);
    }
  }

  /// Of the `uv_loop_t` and its blocks.
  long bytes() {
    return pool.bytes() + size;
  }

  NativeOwner owner(long key) {
    return registry.owner((int) key);
  }

  List<NativeOwner> owners() {
    return registry.owners();
  }

  void interlude(Runnable newInterlude) {
    interlude = newInterlude;
  }

  /// A callback that brought data has done all it had to do.
  void eventServed() {
    if (serving) {
      interlude.run();
    }
  }

  /// One turn of libuv. Callbacks keep what they throw.
  void turn(boolean blocks) {
    serving = true;
    UvLoop.uv_run(address, blocks ? UvLoop.UV_RUN_ONCE : UvLoop.UV_RUN_NOWAIT);
    serving = false;
  }

  /// What is watched for the owner of that block has something to be read. As a callback of libuv's.
  void readable(long key, boolean more) {
    serving = true;
    try {
      owner(key).onReadable(more);
      eventServed();
    } catch (Throwable t) {
      escaped.add(t);
    }
    serving = false;
  }

  // ---- the end

  /// Any thread.
  boolean isClosed() {
    return closed;
  }

  /// Throws if the loop is closed: its memory is gone.
  void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the loop is closed");
    }
  }

  /// Tells all owners that the loop ends. One that fails keeps no other open.
  void endOwners() {
    for (NativeOwner owner : owners()) {
      escaped.attempt(owner::loopEnds);
    }
  }

  /// Nothing is opened from here on.
  void shut() {
    closed = true;
  }

  /// Waits for the callbacks that libuv owes, if there are any: one turn.
  void drain() {
    UvLoop.uv_run(address, UvLoop.UV_RUN_ONCE);
  }

  /// Waits for libuv's last callback. Every handle must be closing.
  void close() {
    while (liveness.isOwed()) {
      drain();
    }
    Failures.assertOk("uv_loop_close", UvLoop.uv_loop_close(address));
  }

  /// libuv must not know it any more.
  void free() {
    pool.close();
    NativeMemory.free(address, size);
    Dispatch.remove(number);
  }
}
