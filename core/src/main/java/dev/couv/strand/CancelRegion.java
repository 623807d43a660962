// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import org.jspecify.annotations.Nullable;

/// A stretch of a coroutine's run that can be told to stop: the whole of it, the body of a timeout,
/// or a protected stretch, which holds back what is told to the regions around it.
public final class CancelRegion {
  /// What a region does with a cancellation of the regions around it.
  enum Kind {
    OPEN,
    PROTECTED
  }

  final @Nullable CancelRegion outer;
  private final Kind kind;

  /// Set once, when the region is told to stop: the reason. From then on every await in it throws.
  private @Nullable String reason;

  /// Whether the strand has heard of it: it was thrown [Cancelled] or interrupted.
  private boolean told;

  CancelRegion(@Nullable CancelRegion outer, Kind kind) {
    this.outer = outer;
    this.kind = kind;
  }

  /// False if it was told before.
  boolean cancel(String newReason) {
    if (reason != null) {
      return false;
    }
    reason = newReason;
    return true;
  }

  /// Why it was told to stop, or null.
  public @Nullable String reason() {
    return reason;
  }

  boolean isCancelled() {
    return reason != null;
  }

  boolean isTold() {
    return told;
  }

  void told(boolean nowTold) {
    told = nowTold;
  }

  boolean isProtected() {
    return kind == Kind.PROTECTED;
  }

  /// The outermost cancelled region that reaches into this one, or null.
  @Nullable CancelRegion effective() {
    CancelRegion found = null;
    for (CancelRegion region = this; region != null; region = region.outer) {
      if (region.reason != null) {
        found = region;
      }
      if (region.isProtected()) {
        break;
      }
    }
    return found;
  }
}
