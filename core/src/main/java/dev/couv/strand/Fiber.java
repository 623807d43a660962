// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Line;
import org.jspecify.annotations.Nullable;

/// What an engine runs: a body with a thread of its own, which takes turns with the others of its loop. The line that it
/// stands in is that of its group.
abstract class Fiber extends Line.Member implements Runnable, Named {
  // Owned by the engine.
  @Nullable Thread thread;
  @Nullable Runnable task;
  boolean turn;
  boolean astray;

  /// Whose turns it shares.
  abstract Rota rota();

  /// Whether it left the thread without suspending: it blocks in plain Java code. Asked just after it ran.
  abstract boolean isBlocked();

  /// It does: its turn is over, and nobody asked it.
  abstract void blocked();
}
