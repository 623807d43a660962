// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Group;
import dev.couv.strand.Scheduler;
import dev.couv.strand.SpawnSite;
import dev.couv.strand.Strand;

/// Coroutines of the runtime: they do what must not be done where it becomes necessary, because it may wait or is the
/// user's code.
final class Chore {
  private Chore() {}

  /// Begins one, as anybody's: it is cancelled with its group.
  static Strand begin(Scheduler scheduler, Group group, String name, Action body) {
    return begin(new Strand(scheduler, Body.of(body), group, SpawnSite.of(body)), name);
  }

  /// Begins one that nothing cancels but the end of the loop.
  static Strand beginShielded(Scheduler scheduler, Group group, String name, Action body) {
    return beginShielded(scheduler, group, name, SpawnSite.of(body), body);
  }

  /// Begins a shielded one on behalf of another, which was spawned there.
  static Strand beginShielded(
      Scheduler scheduler, Group group, String name, SpawnSite site, Action body) {
    return beginShielded(new Strand(scheduler, Body.of(body), group, site), name);
  }

  /// Begins it, and nothing cancels it but the end of the loop.
  static Strand beginShielded(Strand strand, String name) {
    strand.shield();
    return begin(strand, name);
  }

  private static Strand begin(Strand strand, String name) {
    strand.name(name);
    strand.begin();
    return strand;
  }
}
