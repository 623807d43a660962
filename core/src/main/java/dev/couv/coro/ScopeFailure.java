// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import org.jspecify.annotations.Nullable;

/// The failure that a scope ends with, and whether somebody was thrown it. The first one counts; those
/// that come later are suppressed in it, also after it was thrown.
final class ScopeFailure {
  private @Nullable Throwable first;
  private boolean thrown;

  /// True if it is the first.
  boolean add(Throwable failure) {
    if (first == null) {
      first = failure;
      return true;
    }
    if (first != failure) {
      first.addSuppressed(failure);
    }
    return false;
  }

  @Nullable Throwable first() {
    return first;
  }

  /// The failure for its one thrower; null if there is none, or somebody was thrown it before.
  @Nullable Throwable take() {
    if (thrown || first == null) {
      return null;
    }
    thrown = true;
    return first;
  }
}
