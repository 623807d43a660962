// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import java.util.ArrayDeque;
import java.util.List;

/// The failures beside the one that is thrown: the latest of them, so that there may be any number of attempts.
final class OtherFailures {
  private static final int KEPT = 8;

  /// What one failure carries.
  private static final int MOST = 2 * KEPT;

  private final ArrayDeque<Throwable> latest = new ArrayDeque<>(1);

  void add(Throwable failure) {
    if (latest.size() == KEPT) {
      latest.removeFirst();
    }
    latest.addLast(failure);
  }

  /// Suppresses them in the one that is thrown, each once, unless that has plenty already: a body may throw the same object again and again.
  void suppressIn(Throwable thrown) {
    List<Throwable> known = List.of(thrown.getSuppressed());
    int room = MOST - known.size();
    for (Throwable each : latest) {
      if (room > 0 && each != thrown && known.stream().noneMatch(s -> s == each)) {
        thrown.addSuppressed(each);
        room--;
      }
    }
  }
}
