// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import org.jspecify.annotations.Nullable;

/// The values in a channel, the oldest first. Where there is no memory for more it stays as it is: an `ArrayDeque` has overwritten its oldest
/// by then, and believes itself empty.
final class HeldValues<T> {
  private static final int MOST = 1 << 30;

  /// In a power of two of places, from `first` on, and around.
  private @Nullable Object[] ring = new Object[4];

  private int first;
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /// Sees to it that the next [#add] needs no memory. If it throws, nothing has changed.
  void makeRoom() {
    if (size < ring.length) {
      return;
    }
    if (size == MOST) {
      throw new OutOfMemoryError(size + " values are more than a channel can hold");
    }
    @Nullable Object[] larger = new Object[2 * size];
    int behind = size - first;
    System.arraycopy(ring, first, larger, 0, behind);
    System.arraycopy(ring, 0, larger, behind, first);
    ring = larger;
    first = 0;
  }

  void add(T value) {
    makeRoom();
    ring[(first + size) & (ring.length - 1)] = value;
    size++;
  }

  /// The oldest, taken out; null if there is none.
  @SuppressWarnings("unchecked") // nothing else was added
  @Nullable T poll() {
    if (isEmpty()) {
      return null;
    }
    T oldest = (T) ring[first];
    ring[first] = null;
    first = (first + 1) & (ring.length - 1);
    size--;
    return oldest;
  }
}
