// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// What an event has told nobody, in the order it happened.
final class Keeping<T extends @Nullable Object> {
  private record Kept<T extends @Nullable Object>(Outcome<T> outcome, long serial) {}

  private final ArrayDeque<Kept<T>> kept = new ArrayDeque<>();

  int size() {
    return kept.size();
  }

  /// When the oldest happened; 0 if there is none.
  long oldest() {
    Kept<T> first = kept.peekFirst();
    return first == null ? 0 : first.serial;
  }

  @Nullable Outcome<T> take() {
    Kept<T> first = kept.pollFirst();
    return first == null ? null : first.outcome;
  }

  /// Before what happened later.
  void add(Outcome<T> outcome, long serial) {
    ArrayDeque<Kept<T>> younger = new ArrayDeque<>(0);
    for (Kept<T> last; (last = kept.peekLast()) != null && last.serial > serial; ) {
      younger.addFirst(kept.removeLast());
    }
    kept.addLast(new Kept<>(outcome, serial));
    kept.addAll(younger);
  }
}
