// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;

/// A strand's hold on the handle that users have of it, when only an explicit resume can continue the strand: as long as
/// somebody else holds the handle. Most strands never have one.
///
/// Confined to the loop, like the strand; the cleaner's thread only posts.
final class ReleasedHandle extends WeakReference<Object> {
  private static final Cleaner CLEANER = Cleaner.create();

  /// When nobody else holds the handle, `abandoned` runs, on the cleaner's thread; it must not hold it.
  ReleasedHandle(Object handle, Runnable abandoned) {
    super(handle);
    CLEANER.register(handle, abandoned);
  }
}
