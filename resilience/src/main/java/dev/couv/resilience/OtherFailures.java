// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import java.util.ArrayDeque;
import java.util.Arrays;

/// The failures beside the one that is thrown: the latest of them, so that there may be any number of attempts.
final class OtherFailures {
  private static final int KEPT = 8;

  private final ArrayDeque<Throwable> latest = new ArrayDeque<>(1);

  void add(Throwable failure) {
    if (latest.size() == KEPT) {
      latest.removeFirst();
    }
    latest.addLast(failure);
  }

  /// Suppresses them in the one that is thrown, each once: a body may throw the same object again.
  void suppressIn(Throwable thrown) {
    for (Throwable each : latest) {
      boolean known =
          each == thrown || Arrays.stream(thrown.getSuppressed()).anyMatch(s -> s == each);
      if (!known) {
        thrown.addSuppressed(each);
      }
    }
  }
}
