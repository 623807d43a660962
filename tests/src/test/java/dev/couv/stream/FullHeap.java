// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import java.util.Arrays;

/// A heap without room, in a JVM of its own that has a small one.
public final class FullHeap {
  private static final Object[] HELD = new Object[1 << 16];
  private static int held;

  private FullHeap() {}

  /// Nothing of so many bytes finds room any more.
  public static void fill(int least) {
    for (int size = 1 << 20; size >= least; size = size / 4 * 3) {
      try {
        while (held < HELD.length) {
          Object piece = new byte[size];
          HELD[held++] = piece;
        }
      } catch (OutOfMemoryError full) {
        continue; // smaller ones may find room
      }
    }
  }

  /// There is room again.
  public static void empty() {
    Arrays.fill(HELD, null);
    held = 0;
  }
}
