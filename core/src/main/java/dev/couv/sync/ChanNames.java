// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.SpinLock;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The named channels of the process, and how many hold each. Any thread.
final class ChanNames {
  private static final SpinLock LOCK = new SpinLock();
  private static final Map<String, Held> NAMES = new HashMap<>();

  private static final class Held {
    final Passage<?> passage;
    int holders;

    Held(Passage<?> passage) {
      this.passage = passage;
    }
  }

  private ChanNames() {}

  /// The passage of that name, with one holder more.
  static Passage<?> hold(String name) {
    Held fresh = new Held(new Passage<>(ChanOptions.of(0).withShared(true), null, name));
    try (var _ = LOCK.hold()) {
      Held known = NAMES.putIfAbsent(name, fresh);
      Held held = known == null ? fresh : known;
      held.holders++;
      return held.passage;
    }
  }

  /// One holder less. True if it was the last: then the name is free.
  static boolean release(String name, Passage<?> passage) {
    try (var _ = LOCK.hold()) {
      Held held = NAMES.get(name);
      if (held == null || held.passage != passage || --held.holders > 0) {
        return false;
      }
      NAMES.remove(name);
      return true;
    }
  }

  /// Closed for all: the name is free at once.
  static void forget(String name, Passage<?> passage) {
    try (var _ = LOCK.hold()) {
      NAMES.computeIfPresent(name, (_, held) -> held.passage == passage ? null : held);
    }
  }

  static Set<String> names() {
    try (var _ = LOCK.hold()) {
      return new TreeSet<>(NAMES.keySet());
    }
  }
}
