// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.Kept;
import dev.couv.loop.WeakKey;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Events that nobody has awaited yet, by key, the oldest first.
///
/// A key with identity is not kept alive: nobody else could ever name it. What was kept for it goes at
/// the next use after the collector found it.
final class KeptEvents {
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

  private final Map<Object, Kept<@Nullable Object>> events = new HashMap<>();
  private final ReferenceQueue<Object> garbage = new ReferenceQueue<>();

  /// The how-manieth event of all: one that was taken, but not seen, goes where it was.
  @SuppressWarnings("NullAway") // a value may be null
  void keep(Object key, @Nullable Object value, long serial) {
    expunge();
    events.computeIfAbsent(name(key), name -> new Kept<>()).add(value, serial);
  }

  boolean has(Object key) {
    expunge();
    return events.containsKey(name(key));
  }

  Kept.@Nullable Item<@Nullable Object> take(Object key) {
    expunge();
    Object name = name(key);
    Kept<@Nullable Object> queue = events.get(name);
    if (queue == null) {
      return null;
    }
    Kept.Item<@Nullable Object> oldest = queue.take();
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
