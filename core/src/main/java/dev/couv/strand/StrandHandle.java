// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A strand's hold on the handle that users have of it: strong until only an explicit resume
/// can continue the strand, from then on only as long as somebody else holds it.
///
/// Confined to the loop, like the strand; the cleaner's thread only posts.
final class StrandHandle {
  private static final Cleaner CLEANER = Cleaner.create();

  private @Nullable Object held;
  private @Nullable WeakReference<Object> released;

  /// Null if nobody holds it any more.
  @Nullable Object get() {
    Object known = held != null || released == null ? held : released.get();
    if (known == null) {
      released = null;
    }
    return known;
  }

  void made(Object handle) {
    held = handle;
  }

  /// Whether the strand itself holds it.
  boolean isHeld() {
    return held != null;
  }

  /// Lets go of it, which it holds. When nobody else does, `abandoned` runs, on the cleaner's thread; it must not hold the
  /// handle.
  void release(Runnable abandoned) {
    Object letGo = Objects.requireNonNull(held);
    held = null;
    released = new WeakReference<>(letGo);
    CLEANER.register(letGo, abandoned);
  }

  /// Whether nobody has it any more.
  boolean isGone() {
    return held == null && (released == null || released.refersTo(null));
  }
}
