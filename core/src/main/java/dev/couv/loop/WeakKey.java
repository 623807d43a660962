// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/// Stands in a map for an object that the map must not keep: equal to what stands for the very same
/// object, and, when that is gone, to itself, so that it can still be taken out.
public final class WeakKey extends WeakReference<Object> {
  private final int hash;

  public WeakKey(Object object, ReferenceQueue<Object> garbage) {
    super(object, garbage);
    hash = System.identityHashCode(object);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (this == other) {
      return true;
    }
    Object object = get();
    return object != null && other instanceof WeakKey key && key.refersTo(object);
  }
}
