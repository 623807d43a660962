// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.util.ArrayList;
import java.util.List;

/// The native blocks of one loop: in steady state they are taken and given back without asking the
/// C heap.
///
/// Blocks come in a few sizes, so that a shutdown request does not keep the kilobyte that a name
/// lookup needs. Free blocks are a stack per size: the one used last is still in the cache.
final class NativePool {
  /// Small: most requests and handles. Then file requests, name lookups, and a write with the bytes
  /// it owns.
  private static final int[] SIZES = {256, 512, 2048, 1 << 13, (1 << 16) + 512};

  /// How many free bytes of one size are kept; what comes back beyond that is freed.
  private static final int KEPT_BYTES = 1 << 20;

  private final int loopNumber;
  private final Registry registry;
  private final List<List<NativeBlock>> free = new ArrayList<>();

  private int used;
  private long usedBytes;
  private long bytes;

  NativePool(int loopNumber, Registry registry) {
    this.loopNumber = loopNumber;
    this.registry = registry;
    for (int _ : SIZES) {
      free.add(new ArrayList<>());
    }
  }

  /// A block of at least `size` bytes, for a request of that owner.
  NativeBlock take(int size, NativeOwner owner) {
    NativeBlock block = take(size);
    block.own(owner);
    return block;
  }

  /// A block of at least `size` bytes that nobody owns yet: for a handle, when libuv has made it one.
  NativeBlock take(int size) {
    int kind = kindOf(size);
    List<NativeBlock> stack = free.get(kind);
    NativeBlock block = stack.isEmpty() ? allocate(SIZES[kind]) : stack.removeLast();
    block.take();
    used++;
    usedBytes += block.capacity;
    return block;
  }

  /// Takes a block back. libuv must have called back on it for the last time.
  void give(NativeBlock block) {
    block.giveBack();
    used--;
    usedBytes -= block.capacity;
    List<NativeBlock> stack = free.get(kindOf(block.capacity));
    if ((stack.size() + 1L) * block.capacity > KEPT_BYTES || !keep(block, stack)) {
      release(block);
    }
  }

  private static boolean keep(NativeBlock block, List<NativeBlock> stack) {
    try {
      return stack.add(block);
    } catch (OutOfMemoryError full) {
      return false;
    }
  }

  /// Blocks that libuv may still know of.
  int used() {
    return used;
  }

  long usedBytes() {
    return usedBytes;
  }

  /// All native bytes of the pool, in use or kept for the next operation.
  long bytes() {
    return bytes;
  }

  /// Frees everything. No block may be in use.
  void close() {
    if (used != 0) {
      throw new AssertionError(used + " native blocks still in use: " + registry.owners());
    }
    for (List<NativeBlock> stack : free) {
      stack.forEach(this::release);
      stack.clear();
    }
  }

  private NativeBlock allocate(int capacity) {
    long key = ((long) loopNumber << 32) | registry.reserve();
    long address = NativeMemory.allocate(capacity);
    NativeBlock block;
    try {
      block = new NativeBlock(address, capacity, key);
    } catch (OutOfMemoryError full) {
      NativeMemory.free(address, capacity);
      throw full;
    }
    bytes += capacity;
    registry.put(block);
    return block;
  }

  private void release(NativeBlock block) {
    registry.remove(block);
    bytes -= block.capacity;
    NativeMemory.free(block.address, block.capacity);
  }

  private static int kindOf(int size) {
    for (int kind = 0; kind < SIZES.length; kind++) {
      if (size <= SIZES[kind]) {
        return kind;
      }
    }
    throw new AssertionError("no native block of " + size + " bytes");
  }
}
