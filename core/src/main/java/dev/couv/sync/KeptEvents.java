// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.WeakKey;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Events that nobody has awaited yet, by key, the oldest first.
///
/// A key with identity is not kept alive: nobody else could ever name it. What was kept for it goes at
/// the next use after the collector found it.
final class KeptEvents {
  /// One event, the how-manieth of all; its value may be null.
  record Kept(@Nullable Object value, long serial) {}

  /// Whether only the very same object is equal to one of that class.
  private static final ClassValue<Boolean> HAS_IDENTITY =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          try {
            return type.getMethod("equals", Object.class).getDeclaringClass() == Object.class;
          } catch (NoSuchMethodException e) {
            throw new AssertionError("every object has equals", e);
          }
        }
      };

  private final Map<Object, ArrayDeque<Kept>> events = new HashMap<>();
  private final ReferenceQueue<Object> garbage = new ReferenceQueue<>();

  void keep(Object key, @Nullable Object value, long serial) {
    expunge();
    events.computeIfAbsent(name(key), name -> new ArrayDeque<>(2)).addLast(new Kept(value, serial));
  }

  /// It was taken, but not seen: it goes where it was, among others that come back likewise.
  void putBack(Object key, @Nullable Object value, long serial) {
    expunge();
    ArrayDeque<Kept> queue = events.computeIfAbsent(name(key), name -> new ArrayDeque<>(2));
    ArrayDeque<Kept> older = new ArrayDeque<>(0);
    for (Kept first; (first = queue.peekFirst()) != null && first.serial < serial; ) {
      older.addLast(queue.removeFirst());
    }
    queue.addFirst(new Kept(value, serial));
    for (Kept last; (last = older.pollLast()) != null; ) {
      queue.addFirst(last);
    }
  }

  boolean has(Object key) {
    expunge();
    return events.containsKey(name(key));
  }

  @Nullable Kept take(Object key) {
    expunge();
    Object name = name(key);
    ArrayDeque<Kept> queue = events.get(name);
    if (queue == null) {
      return null;
    }
    Kept oldest = queue.removeFirst();
    if (queue.isEmpty()) {
      events.remove(name);
    }
    return oldest;
  }

  private Object name(Object key) {
    return HAS_IDENTITY.get(key.getClass()) ? new WeakKey(key, garbage) : key;
  }

  private void expunge() {
    for (Reference<?> gone; (gone = garbage.poll()) != null; ) {
      events.remove(gone);
    }
  }
}
