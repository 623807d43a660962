// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.StrandState;

/// Where a coroutine is in its life.
public enum Status {
  /// Not started: the first resume starts it.
  CREATED,
  /// In the ready queue.
  READY,
  /// It is the one that runs.
  RUNNING,
  /// It resumed another coroutine, which runs in its place.
  NORMAL,
  /// It awaits something, was suspended by a yield, or blocks in plain Java code.
  SUSPENDED,
  /// It ended with a result.
  DONE,
  /// It ended with an exception.
  FAILED,
  /// It ended because it was cancelled.
  CANCELLED;

  static Status of(StrandState state) {
    return valueOf(state.name());
  }

  /// Whether its body has ended, one way or the other.
  public boolean isEnded() {
    return StrandState.valueOf(name()).isEnded();
  }
}
