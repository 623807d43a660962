// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.strand.LoopLocal;
import dev.couv.world.DirectoryEvents;
import java.util.ArrayDeque;

/// Directories of a loop that nobody watches any more, with all below them: soon nobody listens to them. A few hundred in a
/// turn, so that one who closes a watch of a large tree, or moves it away, does not hold up the others.
final class Forgotten {
  /// How many are given back in a turn.
  private static final int SLICE = 256;

  private static final LoopLocal<Forgotten> OF_LOOP = new LoopLocal<>(Forgotten::new);

  private record Entry(DirectoryEvents events, WatchedDir directory) {}

  private final ArrayDeque<Entry> entries = new ArrayDeque<>();
  private boolean givesBack;

  private Forgotten() {}

  /// Those of the calling coroutine's loop.
  static Forgotten ofLoop() {
    return OF_LOOP.get("Watch.path");
  }

  /// It is not where it was.
  void add(Loop coroutines, DirectoryEvents events, WatchedDir directory) {
    directory.detach();
    entries.add(new Entry(events, directory));
    if (!givesBack) {
      try {
        givesBack = true;
        coroutines.spawn(this::giveBack).named("watching less");
      } catch (ClosedException loopEnds) {
        givesBack = false; // and with it the events
      }
    }
  }

  private void giveBack() {
    try {
      while (!entries.isEmpty()) {
        for (int i = 0; i < SLICE && !entries.isEmpty(); i++) {
          Entry entry = entries.pop();
          DirectoryEvents events = entry.events();
          if (events.isOpen()) {
            WatchedDir directory = entry.directory();
            events.unlisten(directory.number(), directory);
            directory.below.values().forEach(each -> entries.add(new Entry(events, each)));
            directory.below.clear();
          }
        }
        Coroutine.pause();
      }
    } finally {
      givesBack = false;
    }
  }
}
