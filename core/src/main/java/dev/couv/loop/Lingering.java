// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// What an await leaves armed in its waiter's [Slot], so that the same await again misses nothing: for
/// awaits that need more than the one handle of [HandleOperation].
public interface Lingering {
  /// Whether the waiter waits for it now.
  boolean isAwaited();

  /// The waiter has turned to something else, or ended: it is disarmed.
  void leave();
}
