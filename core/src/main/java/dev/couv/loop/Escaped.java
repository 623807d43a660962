// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// What failed where nobody could be thrown it: of those that have come the first, with the others suppressed.
public final class Escaped {
  private @Nullable Throwable first;

  Escaped() {}

  /// The first of several, with the later one suppressed in it, once.
  public static <E extends Throwable> E first(@Nullable E before, E later) {
    if (before == null) {
      return later;
    }
    if (before != later) {
      before.addSuppressed(later);
    }
    return before;
  }

  void add(Throwable thrown) {
    first = first(first, thrown);
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
