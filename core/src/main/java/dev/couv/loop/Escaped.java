// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// What failed where nobody could be thrown it: of those that have come the first, with the others suppressed.
final class Escaped {
  private @Nullable Throwable first;

  void add(Throwable thrown) {
    if (first == null) {
      first = thrown;
    } else if (first != thrown) {
      first.addSuppressed(thrown);
    }
  }

  /// Does one thing of several that must all be tried.
  void attempt(Runnable step) {
    try {
      step.run();
    } catch (Throwable thrown) {
      add(thrown);
    }
  }

  /// Throws it, if there is something.
  void rethrow() {
    Throwable thrown = first;
    if (thrown == null) {
      return;
    }
    first = null;
    if (thrown instanceof Error error) {
      throw error;
    }
    throw new AssertionError("an exception escaped a callback", thrown);
  }
}
