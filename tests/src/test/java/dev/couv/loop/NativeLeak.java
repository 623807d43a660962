// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// Native memory that belongs to no loop, for the tests of the leak check.
public final class NativeLeak {
  private NativeLeak() {}

  public static long allocate(long size) {
    return NativeMemory.allocate(size);
  }

  public static void free(long address, long size) {
    NativeMemory.free(address, size);
  }
}
