// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.error.BrokenException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Stops asking for what fails again and again.
///
/// ```
///            so many failures in a row, or deactivate
///   ACTIVE ────────────────────────────────────────────▶ INACTIVE
///     ▲  ▲                                                │    ▲
///     │  └── activate ──────────────────── the pause is over, or recover
///     │                                                   ▼    │ failure
///     └──────────────── success ─────────────────────── RECOVERING
/// ```
///
/// Confined to its loop.
final class Fuse {
  private final String subject;
  private final int limit;
  private final long pauseNanos;
  private final LongSupplier clock;

  private BreakerState state = BreakerState.ACTIVE;
  private int failures;
  private boolean byHand;
  private long since;
  private boolean trying;
  private @Nullable Throwable last;

  /// Opens after so many failures in a row, for that long; never by itself if the limit is 0.
  Fuse(String subject, int limit, Duration pause, LongSupplier clock) {
    this.subject = subject;
    this.limit = limit;
    this.pauseNanos = pause.toNanos();
    this.clock = clock;
  }

  BreakerState state() {
    if (state == BreakerState.INACTIVE && !byHand && clock.getAsLong() - since >= pauseNanos) {
      recover();
    }
    return state;
  }

  void activate() {
    state = BreakerState.ACTIVE;
    failures = 0;
    trying = false;
  }

  /// Until it is told otherwise.
  void deactivate() {
    state = BreakerState.INACTIVE;
    byHand = true;
    trying = false;
  }

  void recover() {
    state = BreakerState.RECOVERING;
    byHand = false;
    trying = false;
  }

  /// Whether somebody may try now.
  boolean admits() {
    return switch (state()) {
      case ACTIVE -> true;
      case INACTIVE -> false;
      case RECOVERING -> !trying;
    };
  }

  boolean refuses() {
    return state() == BreakerState.INACTIVE;
  }

  /// Somebody tries.
  void begin() {
    trying = state == BreakerState.RECOVERING;
  }

  /// Without having found out anything.
  void gaveUp() {
    trying = false;
  }

  void succeeded() {
    if (state != BreakerState.INACTIVE) {
      activate();
    }
  }

  void failed(@Nullable Throwable cause) {
    last = cause;
    failures++;
    boolean tooMany = limit > 0 && failures >= limit;
    if (state == BreakerState.RECOVERING || (state == BreakerState.ACTIVE && tooMany)) {
      state = BreakerState.INACTIVE;
      since = clock.getAsLong();
      byHand = false;
      trying = false;
    }
  }

  BrokenException refusal() {
    BrokenException refusal =
        new BrokenException(
            byHand
                ? subject + " are switched off"
                : subject + " are unavailable after " + failures + " failures in a row");
    if (!byHand && last != null) {
      refusal.initCause(last);
    }
    return refusal;
  }
}
