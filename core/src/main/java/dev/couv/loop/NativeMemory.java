// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Memory;
import java.util.concurrent.atomic.AtomicLong;

/// The one place where native memory comes from and goes back to, so that every byte is counted.
/// Any thread.
public final class NativeMemory {
  /// The C heap gives 16-byte alignment, which is what libuv's structures need.
  private static final AtomicLong ALLOCATED = new AtomicLong();

  private NativeMemory() {}

  /// Zeroed memory that the caller owns until it calls [#free].
  public static long allocate(long size) {
    long address = Memory.calloc(1, size);
    if (address == 0) {
      throw new OutOfMemoryError("native memory: " + size + " bytes");
    }
    ALLOCATED.addAndGet(size);
    return address;
  }

  /// Likewise, and filled with whatever was there before: for bytes that are written before they are read.
  public static long allocateUnset(long size) {
    long address = Memory.malloc(size);
    if (address == 0) {
      throw new OutOfMemoryError("native memory: " + size + " bytes");
    }
    ALLOCATED.addAndGet(size);
    return address;
  }

  /// What the C library's allocator answered, for memory that is needed only during a call and not
  /// counted: never that there is none.
  public static long check(long address) {
    if (address == 0) {
      throw new OutOfMemoryError("native memory");
    }
    return address;
  }

  public static void free(long address, long size) {
    Memory.free(address);
    ALLOCATED.addAndGet(-size);
  }

  /// How many bytes the process holds now. The leak check compares it before and after.
  public static long allocatedBytes() {
    return ALLOCATED.get();
  }
}
