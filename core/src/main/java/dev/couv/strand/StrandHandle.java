// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/// The strand's hold on the handle that users have of it: strong until only an explicit resume
/// can continue the strand, from then on only as long as somebody else holds it.
///
/// Confined to the loop, like the strand; the cleaner's thread only posts.
final class StrandHandle {
  private static final Cleaner CLEANER = Cleaner.create();

  private final Strand strand;
  private @Nullable Object held;
  private @Nullable WeakReference<Object> released;

  StrandHandle(Strand strand) {
    this.strand = strand;
  }

  /// One that nobody held any more is replaced: nobody can tell.
  Object get() {
    Object known = held != null || released == null ? held : released.get();
    if (known == null) {
      known = strand.scheduler().host().handleOf(strand);
      released = null;
      held = known;
    }
    return known;
  }

  void made(Object coroutine) {
    held = coroutine;
  }

  /// Lets go of it: when nobody else holds it, nobody can resume the strand any more.
  void release() {
    Object letGo = held;
    if (letGo == null) {
      return;
    }
    held = null;
    released = new WeakReference<>(letGo);
    CLEANER.register(letGo, new Abandoned(strand));
  }

  /// Whether nobody has it any more.
  boolean isGone() {
    return held == null && (released == null || released.refersTo(null));
  }

  /// Not an inner class: it must not hold what it waits to see collected.
  private record Abandoned(Strand strand) implements Runnable {
    @Override
    public void run() {
      strand.scheduler().events().post(strand::abandoned);
    }
  }
}
