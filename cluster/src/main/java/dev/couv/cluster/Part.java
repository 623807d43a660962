// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import org.jspecify.annotations.Nullable;

/// Something of a cluster that lives until it is closed: an end of a channel, a receiver of a
/// queue. Told on the loop, in a coroutine that must not wait.
interface Part {
  /// Whether time matters to it now: somebody waits, or something is under way. To most it never does: who waits has a limit
  /// or a coroutine of its own.
  default boolean isBusy() {
    return false;
  }

  /// Some time has passed, while it was busy.
  default void tick() {}

  /// A server is there again: what was on its way may be lost, and what others had announced
  /// forgotten.
  default void reconnected() {}

  /// Messages came faster than the loop took them, and some were dropped.
  default void dropped() {}

  /// The cluster is over, for that reason or, if it is null, because it was closed.
  void lost(@Nullable Throwable reason);

  /// The cluster is about to be closed: brings to its end what is under way. May wait.
  default void finish() throws Exception {}
}
