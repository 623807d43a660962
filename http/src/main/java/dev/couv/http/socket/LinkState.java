// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.socket;

/// Where a socket is.
///
/// ```
///          closing            closed
///   OPEN ───────────► CLOSING ────────► CLOSED
///     │ closed           │ broken          │
///     ├──────────► CLOSED▼                 │ gone
///     └─ broken ───► BROKEN ──── gone ───► GONE
/// ```
enum LinkState {
  /// Messages go both ways.
  OPEN,
  /// We have said that we close, and wait for the other side to say so.
  CLOSING,
  /// Both sides have said it.
  CLOSED,
  /// The other side has broken the rules, or has gone.
  BROKEN,
  /// The connection is closed.
  GONE;

  LinkState closing() {
    return this == OPEN ? CLOSING : this;
  }

  LinkState closed() {
    return switch (this) {
      case OPEN, CLOSING -> CLOSED;
      case CLOSED, BROKEN, GONE -> this;
    };
  }

  LinkState broken() {
    return switch (this) {
      case OPEN, CLOSING -> BROKEN;
      case CLOSED, BROKEN, GONE -> this;
    };
  }

  LinkState gone() {
    return GONE;
  }
}
