// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Who runs a [Scheduler]: makes what its strands throw at users, and is told what concerns them all.
public interface Keeper {
  /// What an await throws in a cancelled region.
  Error cancelled(CancelRegion region, String message);

  /// The region that something thrown unwinds to, if it is a cancellation; else null.
  @Nullable CancelRegion unwindsTo(Throwable thrown);

  /// What an await throws whose strand was resumed by somebody.
  Error resumed(String awaited, List<@Nullable Object> values);

  /// Begins a coroutine of the loop's own, on behalf of one that was spawned there: nothing cancels it but the end of the
  /// loop.
  void begin(String name, SpawnSite site, Callable<?> body);

  /// Between two turns: failures that nobody has claimed in time are somebody's now. `idle` if nobody at all is ready.
  void settle(boolean idle);

  /// The last strand of the loop has ended.
  void allEnded();
}
