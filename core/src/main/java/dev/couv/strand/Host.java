// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Who runs a [Scheduler]: makes what its strands throw at users, and is told what concerns them all.
public interface Host {
  /// What an await throws in a cancelled region.
  Error cancelled(CancelRegion region, String message);

  /// The region that something thrown unwinds to, if it is a cancellation; else null.
  @Nullable CancelRegion unwindsTo(Throwable thrown);

  /// What an await throws whose strand was resumed by somebody.
  Error resumed(String awaited, List<@Nullable Object> values);

  /// Between two turns: failures that nobody has claimed in time are somebody's now. `idle` if nobody at all is ready.
  void settle(boolean idle);

  /// The last strand of the loop has ended.
  void allEnded();
}
