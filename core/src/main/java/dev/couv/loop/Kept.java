// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// What has come and nobody has taken, in the order it came. What was taken and is given back goes where it was.
public final class Kept<T extends @Nullable Object> {
  /// One of them, the how-manieth that came.
  public record Item<T extends @Nullable Object>(T value, long serial) {}

  private final Ring<Item<T>> items = new Ring<>();

  public boolean isEmpty() {
    return items.isEmpty();
  }

  public int size() {
    return items.size();
  }

  /// The oldest, taken out; null if there is none.
  public @Nullable Item<T> take() {
    return items.poll();
  }

  /// Before what came later. If it throws, for want of memory, nothing has changed.
  public void add(T value, long serial) {
    Item<T> added = new Item<>(value, serial);
    items.add(added);
    int place = items.size() - 1;
    while (place > 0 && items.get(place - 1).serial > serial) {
      items.set(place, items.get(place - 1));
      place--;
    }
    items.set(place, added);
  }
}
