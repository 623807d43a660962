// SPDX-License-Identifier: Apache-2.0
package dev.couv.walk;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/// The hook that [Walks] puts at the beginning of every method of the library: which classes a call passes.
public final class Visits {
  private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();
  private static volatile boolean watching;

  private Visits() {}

  /// Called by instrumented code.
  public static void at(String type) {
    if (watching) {
      SEEN.add(type);
    }
  }

  /// Begins, or goes on. Returns whether it did before.
  public static boolean watch(boolean now) {
    boolean before = watching;
    watching = now;
    return before;
  }

  /// What was passed since this was asked before.
  public static Set<String> take() {
    Set<String> taken = new TreeSet<>(SEEN);
    SEEN.clear();
    return taken;
  }
}
