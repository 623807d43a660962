// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// From the `data` word of a handle or request to its block: the only way from a callback back into
/// Java. An index belongs to one block from its allocation until its memory is freed.
final class Registry {
  private @Nullable NativeBlock[] blocks = new NativeBlock[64];

  /// Room for all of them: giving one back allocates nothing.
  private int[] freeIndexes = new int[64];

  private int freeCount;
  private int size;

  /// The index for the next block that is put. Nobody has it until then.
  int reserve() {
    if (freeCount > 0) {
      return freeIndexes[freeCount - 1];
    }
    if (size == blocks.length) {
      freeIndexes = Arrays.copyOf(freeIndexes, size * 2);
      blocks = Arrays.copyOf(blocks, size * 2);
    }
    return size;
  }

  void put(NativeBlock block) {
    if (block.index() == size) {
      size++;
    } else {
      freeCount--;
    }
    blocks[block.index()] = block;
  }

  void remove(NativeBlock block) {
    blocks[block.index()] = null;
    freeIndexes[freeCount++] = block.index();
  }

  NativeOwner owner(int index) {
    NativeBlock block = blocks[index];
    NativeOwner owner = block == null ? null : block.owner();
    if (owner == null) {
      throw new AssertionError("a callback for memory that nobody owns: index " + index);
    }
    return owner;
  }

  /// The owners of all blocks in use, in a list of its own: the caller may close them.
  List<NativeOwner> owners() {
    List<NativeOwner> owners = new ArrayList<>();
    for (int index = 0; index < size; index++) {
      NativeBlock block = blocks[index];
      NativeOwner owner = block == null ? null : block.owner();
      if (owner != null) {
        owners.add(owner);
      }
    }
    return owners;
  }
}
