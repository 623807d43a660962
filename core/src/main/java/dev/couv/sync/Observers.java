// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.SpinLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// How many have looked at the outcome of a promise, or will. As long as there are none, a failure is
/// watched, and reported in the end. Any thread.
final class Observers {
  private final UnseenFailures unseen = UnseenFailures.ofCaller();
  private final SpinLock lock;

  /// Tells where what breaks the promise comes from, if that is not where it is broken.
  private final @Nullable Supplier<String> origin;

  // Guarded by the lock.
  private int count;
  private UnseenFailures.@Nullable Unseen watched;

  Observers(SpinLock lock, @Nullable Supplier<String> origin) {
    this.lock = lock;
    this.origin = origin;
  }

  /// So many more, or less; `failure` is what the promise failed with, if it has and that is to be
  /// reported. As long as there is the `pledge`, somebody may still look.
  void add(Object pledge, int more, @Nullable Throwable failure) {
    UnseenFailures.Unseen seen = null;
    boolean isUnseen = false;
    try (var _ = lock.hold()) {
      count += more;
      if (count > 0) {
        seen = watched;
        watched = null;
      } else {
        isUnseen = failure != null && watched == null;
      }
    }
    if (seen != null) {
      seen.seen();
    }
    if (isUnseen && failure != null) {
      watch(unseen.watch(pledge, failure, origin == null ? null : origin.get()));
    }
  }

  /// Unless somebody has come to look meanwhile.
  private void watch(UnseenFailures.Unseen failure) {
    boolean late;
    try (var _ = lock.hold()) {
      late = count > 0 || watched != null;
      if (!late) {
        watched = failure;
      }
    }
    if (late) {
      failure.seen();
    }
  }
}
