// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import dev.couv.error.BusyException;
import java.io.IOException;

/// Where a body is that is written while it is sent.
///
/// ```
///          begin            done
///   OPEN ─────────► WRITING ─────► OPEN
///     │ end            │ leave
///     ▼                ▼
///   ENDED             TORN
/// ```
///
/// Behind each [#begin] there is a [#leave], however the write ends.
public enum BodyState {
  /// Between two writes.
  OPEN,
  /// A coroutine is in a write.
  WRITING,
  /// A write was left: nobody knows what the other side has, and nothing that follows would be understood.
  TORN,
  /// All of it was written, or nothing more is.
  ENDED;

  /// A write begins.
  ///
  /// @throws BusyException if another coroutine is in one
  /// @throws IOException if another was left
  public BodyState begin() throws IOException {
    check();
    return WRITING;
  }

  /// All of that write was done.
  public BodyState done() {
    return this == WRITING ? OPEN : this;
  }

  /// The write is over: left, unless it was done.
  public BodyState leave() {
    return this == WRITING ? TORN : this;
  }

  /// All of it was written.
  ///
  /// @throws IOException if a write was left, or another coroutine is still in one: what ends there is not whole
  public BodyState end() throws IOException {
    if (this == WRITING) {
      throw new IOException("the body ended in the middle of a write");
    }
    check();
    return ENDED;
  }

  /// Nothing more is written, wherever it was left.
  public BodyState close() {
    return ENDED;
  }

  /// Whether more may be written.
  ///
  /// @throws BusyException if another coroutine is in a write
  /// @throws IOException if a write was left
  public void check() throws IOException {
    switch (this) {
      case OPEN -> {}
      case WRITING -> throw new BusyException("another coroutine is already writing the body");
      case TORN -> throw new IOException("a write was left before its end: the body is torn");
      case ENDED -> throw new IllegalStateException("the body is at its end");
    }
  }
}
