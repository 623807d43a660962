// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.SpinLock;
import org.jspecify.annotations.Nullable;

/// How many have looked at the outcome of a promise, or will. As long as there are none, a failure is
/// watched, and reported in the end. Any thread.
final class Observers {
  private final UnseenFailures unseen = UnseenFailures.ofCaller();
  private final SpinLock lock = new SpinLock();

  // Guarded by the lock.
  private int count;
  private UnseenFailures.@Nullable Unseen watched;

  /// So many more, or less; `failure` is what the promise failed with, if it has and that is to be
  /// reported.
  void add(Promise<?> promise, int more, @Nullable Throwable failure) {
    UnseenFailures.Unseen seen = null;
    boolean isUnseen = false;
    lock.lock();
    try {
      count += more;
      if (count > 0) {
        seen = watched;
        watched = null;
      } else {
        isUnseen = failure != null && watched == null;
      }
    } finally {
      lock.unlock();
    }
    if (seen != null) {
      seen.seen();
    }
    if (isUnseen && failure != null) {
      watch(unseen.watch(promise, failure));
    }
  }

  /// Unless somebody has come to look meanwhile.
  private void watch(UnseenFailures.Unseen failure) {
    boolean late;
    lock.lock();
    try {
      late = count > 0 || watched != null;
      if (!late) {
        watched = failure;
      }
    } finally {
      lock.unlock();
    }
    if (late) {
      failure.seen();
    }
  }
}
