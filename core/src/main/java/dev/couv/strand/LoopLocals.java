// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.IdentityHashMap;
import java.util.function.Supplier;

/// What [LoopLocal]s keep in one loop. Confined to it.
public final class LoopLocals {
  private final IdentityHashMap<Object, Object> values = new IdentityHashMap<>(4);

  Object get(Object key, Supplier<?> made) {
    return values.computeIfAbsent(key, local -> made.get());
  }

  /// The loop is closed: each of its values hears of that, whatever the others do.
  public void close() {
    for (Object value : values.values()) {
      if (value instanceof AutoCloseable closeable) {
        try {
          closeable.close();
        } catch (Exception broken) {
          // Nobody is left to tell: what is closed here only reports, and could not.
        }
      }
    }
    values.clear();
  }
}
