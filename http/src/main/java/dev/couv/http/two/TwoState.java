// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.two;

/// Where a connection is.
///
/// ```
///         drain          allAnswered         end
///   OPEN ───────► LAST ───────────────► OVER ─────► ENDED
///     │                                  ▲
///     └──────────────────────────────────┘ breakOff
/// ```
enum TwoState {
  /// Requests may come.
  OPEN,
  /// Those that are here are the last.
  LAST,
  /// Nothing is said any more but what was said already; what still comes is not looked at.
  OVER,
  /// Nobody serves it any more.
  ENDED;

  TwoState drain() {
    return this == OPEN ? LAST : this;
  }

  TwoState allAnswered() {
    return this == LAST ? OVER : this;
  }

  TwoState breakOff() {
    return this == ENDED ? ENDED : OVER;
  }

  TwoState end() {
    return ENDED;
  }

  /// Whether what comes means anything.
  boolean listens() {
    return this == OPEN || this == LAST;
  }
}
