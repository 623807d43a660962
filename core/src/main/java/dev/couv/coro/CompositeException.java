// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Several failures where one value would have done, in the order they happened. The first is the
/// cause, the others are suppressed.
public final class CompositeException extends Exception {
  private static final long serialVersionUID = 1L;

  private final ArrayList<Throwable> failures;

  /// Several failures, of which none is the one: the first is its cause, the others are suppressed in it.
  public CompositeException(String message, List<? extends Throwable> failures) {
    super(message, failures.isEmpty() ? null : failures.getFirst());
    this.failures = new ArrayList<>(failures);
    for (Throwable failure : this.failures) {
      if (failure != getCause()) {
        addSuppressed(failure);
      }
    }
  }

  /// All of them, in the order they happened.
  public List<Throwable> failures() {
    return Collections.unmodifiableList(failures);
  }
}
