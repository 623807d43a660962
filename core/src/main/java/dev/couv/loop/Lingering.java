// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// What an await keeps in its waiter's [Slot] beyond its end, so that the same await again costs less and misses
/// nothing: the block of a request, an armed handle, or several of them.
public interface Lingering {
  /// Whether the waiter waits for it now.
  boolean isAwaited();

  /// The waiter has turned to something else, or ended: it is given up. The slot has forgotten it.
  void leave();
}
