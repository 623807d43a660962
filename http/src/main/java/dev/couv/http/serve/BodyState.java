// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import java.io.IOException;

/// Where a body is that is written while it is sent.
///
/// ```
///          begin           done
///   OPEN ─────────► TORN ─────────► OPEN
///     │ end
///     ▼
///   ENDED
/// ```
public enum BodyState {
  /// Between two writes.
  OPEN,
  /// In a write, or left in it: nobody knows what the other side has, and nothing that follows would be understood.
  TORN,
  /// All of it was written.
  ENDED;

  /// A write begins.
  ///
  /// @throws IOException if another was left
  public BodyState begin() throws IOException {
    check();
    return TORN;
  }

  /// All of that write was done.
  public BodyState done() {
    return this == TORN ? OPEN : this;
  }

  /// Nothing more is written.
  ///
  /// @throws IOException if a write was left
  public BodyState end() throws IOException {
    check();
    return ENDED;
  }

  /// Whether more may be written.
  ///
  /// @throws IOException if a write was left
  public void check() throws IOException {
    switch (this) {
      case OPEN -> {}
      case TORN -> throw new IOException("a write was left before its end: the body is torn");
      case ENDED -> throw new IllegalStateException("the body is at its end");
    }
  }
}
