// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import org.jspecify.annotations.Nullable;

/// Who is told of every coroutine and every await of a process, where the flight recorder would be too much: for a
/// timeline of a whole run.
///
/// Told on the strand's own thread, while that has the turn, by all loops at once. It must neither park nor throw, nor
/// take a lock that others may keep for long.
public interface Journal {
  /// Its body begins; it was spawned there, in that scope.
  void started(Named strand, String site, String scope);

  /// It has ended, in that way.
  void ended(Named strand, String how);

  /// It suspends until what it awaits has come. Returns what is told when that is over.
  Object awaits(Named strand, String awaited);

  /// The await is over, because of that.
  void awaited(Object begun, String how);

  /// The one of this process.
  final class Choice {
    private static @Nullable Journal made;

    private Choice() {}

    /// Chooses it: before the first loop of the process, or nobody hears of it.
    public static void make(Journal journal) {
      made = journal;
    }

    static @Nullable Journal made() {
      return made;
    }
  }
}
