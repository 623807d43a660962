// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

/// Where a connection is.
///
/// ```
///           begin          done
///   IDLE  ────────► BUSY ────────► IDLE
///     │ drain        │ drain
///     ▼              ▼      end
///   LAST ◄───────── LAST ────────► ENDED
/// ```
enum ConnectionState {
  /// Between requests, or before the first.
  IDLE,
  /// A request comes, or is answered.
  BUSY,
  /// The same, and nothing follows it.
  LAST,
  /// Another protocol has it.
  TAKEN_OVER,
  /// Nobody serves it any more.
  ENDED;

  ConnectionState begin() {
    return this == IDLE ? BUSY : this;
  }

  ConnectionState done() {
    return this == BUSY ? IDLE : this;
  }

  ConnectionState drain() {
    return switch (this) {
      case IDLE, BUSY, LAST -> LAST;
      case TAKEN_OVER, ENDED -> this;
    };
  }

  ConnectionState takenOver() {
    return TAKEN_OVER;
  }

  ConnectionState end() {
    return ENDED;
  }

  /// Whether another request may follow.
  boolean mayServe() {
    return this == IDLE || this == BUSY;
  }
}
