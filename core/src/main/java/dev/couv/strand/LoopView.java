// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Residents;
import java.util.concurrent.Callable;

/// A loop as those see it who look at a program from outside. Nothing of the runtime itself knows it.
public interface LoopView extends Residents {
  /// What runs its strands.
  Scheduler scheduler();

  /// The group that all others are inside of.
  Group root();

  /// Begins a coroutine of the loop's own, which nothing cancels but the end of the loop. Loop thread.
  void begin(String name, SpawnSite site, Callable<?> body);
}
