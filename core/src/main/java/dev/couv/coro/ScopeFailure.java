// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Outcomes;
import dev.couv.strand.Strand;
import org.jspecify.annotations.Nullable;

/// The failure that a scope ends with, and whether somebody was thrown it. The first one counts; those
/// that come later are suppressed in it, also after it was thrown.
final class ScopeFailure {
  private @Nullable Throwable first;
  private boolean thrown;

  /// Whose it was, if a coroutine's.
  private @Nullable Strand origin;

  /// True if it is the first.
  boolean add(Throwable failure, Strand failed) {
    boolean isFirst = add(failure);
    if (isFirst) {
      origin = failed;
    }
    return isFirst;
  }

  /// Adds one that is no coroutine's. True if it is the first.
  boolean add(Throwable failure) {
    if (first == null) {
      first = failure;
      return true;
    }
    Outcomes.suppress(first, failure);
    return false;
  }

  @Nullable Throwable first() {
    return first;
  }

  /// Whether somebody awaited the coroutine after all, when its failure was the scope's already.
  boolean wasAwaited() {
    return origin != null && origin.ending().claims() > 1;
  }

  /// The failure for its one thrower; null if there is none, or somebody was thrown it before.
  @Nullable Throwable take() {
    if (thrown || first == null) {
      return null;
    }
    thrown = true;
    return first;
  }

  /// Makes it another scope's, unless somebody was thrown it.
  void moveTo(ScopeFailure other) {
    Throwable told = take();
    if (told != null) {
      other.add(told);
    }
  }

  /// Throws it to its one thrower, or `leaving` if there is none: a failure says more than that the caller
  /// was told to stop.
  void rethrow(@Nullable Throwable leaving) throws Exception {
    Throwable told = take();
    if (told == null) {
      told = leaving;
    } else if (leaving != null) {
      Outcomes.suppress(told, leaving);
    }
    if (told != null) {
      throw Outcomes.rethrow(told);
    }
  }
}
