// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// What has come and nobody has taken, in the order it came. What was taken and is given back goes where it was.
public final class Kept<T extends @Nullable Object> {
  /// One of them, the how-manieth that came.
  public record Item<T extends @Nullable Object>(T value, long serial) {}

  private final ArrayDeque<Item<T>> items = new ArrayDeque<>(1);

  public boolean isEmpty() {
    return items.isEmpty();
  }

  public int size() {
    return items.size();
  }

  /// The oldest, taken out; null if there is none.
  public @Nullable Item<T> take() {
    return items.pollFirst();
  }

  /// Before what came later.
  public void add(T value, long serial) {
    ArrayDeque<Item<T>> younger = new ArrayDeque<>(0);
    for (Item<T> last; (last = items.peekLast()) != null && last.serial > serial; ) {
      younger.addFirst(items.removeLast());
    }
    items.addLast(new Item<>(value, serial));
    items.addAll(younger);
  }
}
