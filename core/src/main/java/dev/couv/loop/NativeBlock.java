// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Memory;
import org.jspecify.annotations.Nullable;

/// A piece of native memory for one handle or request, with a fixed place in the loop's registry.
///
/// Ownership: a block belongs to its [NativePool]. While it has an [NativeOwner] libuv may know its
/// address, so it goes back to the pool only after the last callback: the close callback of a
/// handle, the completion callback of a request.
///
/// libuv's `data` pointer is the first word of every handle and request. It holds the loop's number
/// and the block's index, which is how a callback finds its way back into Java.
public final class NativeBlock {
  final long address;
  final int capacity;
  private final long key;
  private @Nullable NativeOwner owner;
  private boolean taken;

  NativeBlock(long address, int capacity, long key) {
    this.address = address;
    this.capacity = capacity;
    this.key = key;
  }

  @Nullable NativeOwner owner() {
    return owner;
  }

  int index() {
    return (int) key;
  }

  /// It is in use from now on, although it may have no owner yet.
  void take() {
    taken = true;
  }

  /// The owner's callbacks may come from now on.
  void own(NativeOwner newOwner) {
    if (owner != null) {
      throw new AssertionError(newOwner + " takes the native block of " + owner);
    }
    owner = newOwner;
    Memory.putLong(address, key);
  }

  void giveBack() {
    if (!taken) {
      throw new AssertionError("a native block is given back twice");
    }
    taken = false;
    owner = null;
  }
}
