// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.concurrent.Callable;

/// Begins coroutines on behalf of one that is not there any more, or cannot be asked: members of the same group, which is
/// said to have been spawned where it was. On the loop's thread, too, where an ordinary spawn might wait for a lock of the
/// JDK to find out where it is.
public final class Deputy {
  private final Scheduler scheduler;
  private final Group group;
  private final SpawnSite site;

  private Deputy(Strand of) {
    scheduler = of.scheduler();
    group = of.group();
    site = of.site();
  }

  /// For the calling coroutine, in a function named `call`.
  public static Deputy of(String call) {
    return new Deputy(Strand.current(call));
  }

  /// Begins one.
  ///
  /// @throws RuntimeException if the group takes nobody any more
  public void begin(String name, Callable<?> body) {
    Strand strand = new Strand(scheduler, body, group, site);
    strand.name(name);
    strand.begin();
  }
}
