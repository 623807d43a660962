// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A queue, the oldest first. Where there is no memory for more it stays as it is: an `ArrayDeque` has overwritten its oldest
/// by then, and believes itself empty.
public final class Ring<T> {
  private static final int MOST = 1 << 30;

  /// In a power of two of places, from `first` on, and around.
  private @Nullable Object[] ring = new Object[4];

  private int first;
  private int size;

  public boolean isEmpty() {
    return size == 0;
  }

  public int size() {
    return size;
  }

  /// Sees to it that the next [#add] needs no memory. If it throws, nothing has changed.
  public void makeRoom() {
    if (size < ring.length) {
      return;
    }
    if (size == MOST) {
      throw new OutOfMemoryError(size + " are more than a queue can hold");
    }
    @Nullable Object[] larger = new Object[2 * size];
    int behind = size - first;
    System.arraycopy(ring, first, larger, 0, behind);
    System.arraycopy(ring, 0, larger, behind, first);
    ring = larger;
    first = 0;
  }

  public void add(T value) {
    makeRoom();
    ring[place(size)] = value;
    size++;
  }

  /// The how-manieth from the oldest, which is 0.
  @SuppressWarnings("unchecked") // nothing else was added
  T get(int index) {
    return (T) Objects.requireNonNull(ring[place(index)]);
  }

  void set(int index, T value) {
    ring[place(index)] = value;
  }

  private int place(int index) {
    return (first + index) & (ring.length - 1);
  }

  /// The oldest, taken out; null if there is none.
  @SuppressWarnings("unchecked") // nothing else was added
  public @Nullable T poll() {
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
