// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import dev.couv.sync.BreakerState;

/// Where a breaker is.
///
/// ```
///            too many failures                     the pause is over
///   ACTIVE ────────────────────▶ PAUSED ─────────────────────────────▶ RECOVERING
///     ▲                            ▲                                   │        ▲
///     │                            │ fail                      attempt │        │ giveUp
///     │                            └────────────────────────────────┐  ▼        │
///     └────────────────────────────── succeed ────────────────────── TRYING ────┘
/// ```
///
/// By hand every phase becomes ACTIVE, RECOVERING (TRYING stays), or OFF, which only a hand ends.
@CheckReturnValue
enum BreakerPhase {
  /// Everybody may call.
  ACTIVE(BreakerState.ACTIVE),
  /// Nobody may, for a while.
  PAUSED(BreakerState.INACTIVE),
  /// Nobody may, until told otherwise.
  OFF(BreakerState.INACTIVE),
  /// One may try.
  RECOVERING(BreakerState.RECOVERING),
  /// One does.
  TRYING(BreakerState.RECOVERING);

  final BreakerState state;

  BreakerPhase(BreakerState state) {
    this.state = state;
  }

  boolean admits() {
    return switch (this) {
      case ACTIVE, RECOVERING -> true;
      case PAUSED, OFF, TRYING -> false;
    };
  }

  /// Somebody who was admitted calls.
  BreakerPhase attempt() {
    return switch (this) {
      case ACTIVE -> ACTIVE;
      case RECOVERING -> TRYING;
      case PAUSED, OFF, TRYING -> throw new IllegalStateException("attempt while " + this);
    };
  }

  /// A call succeeded that was admitted in this phase.
  BreakerPhase succeed() {
    return switch (this) {
      case ACTIVE, TRYING -> ACTIVE;
      case PAUSED, OFF, RECOVERING -> throw new IllegalStateException("succeed while " + this);
    };
  }

  /// A call failed that was admitted in this phase, as the last that is tolerated if it is one of many.
  BreakerPhase fail() {
    return switch (this) {
      case ACTIVE, TRYING -> PAUSED;
      case PAUSED, OFF, RECOVERING -> throw new IllegalStateException("fail while " + this);
    };
  }

  /// A call was left without having found out anything.
  BreakerPhase giveUp() {
    return switch (this) {
      case ACTIVE -> ACTIVE;
      case TRYING -> RECOVERING;
      case PAUSED, OFF, RECOVERING -> throw new IllegalStateException("giveUp while " + this);
    };
  }

  /// By hand.
  BreakerPhase recover() {
    return switch (this) {
      case ACTIVE, PAUSED, OFF, RECOVERING -> RECOVERING;
      case TRYING -> TRYING;
    };
  }
}
