// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.CheckReturnValue;

/// Where a coroutine is in its life.
///
/// ```
///              queue                 run                      end
///   CREATED ──────────▶ READY ───────────────▶ RUNNING ─────────────▶ DONE FAILED CANCELLED
///                         ▲  ▲      requeue     │ ▲ │ suspend
///                         │  └──────────────────┘ │ └────────▶ SUSPENDED
///                         │ wake                  │ resumeOther      │
///                         ├───────────────────────┼──── NORMAL       │
///                         └───────────────────────┴──────────────────┘
/// ```
@CheckReturnValue
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

  /// Whether its body has ended, one way or the other.
  public boolean isEnded() {
    return switch (this) {
      case CREATED, READY, RUNNING, NORMAL, SUSPENDED -> false;
      case DONE, FAILED, CANCELLED -> true;
    };
  }

  Status queue() {
    return require(this == CREATED, "queue", READY);
  }

  /// It could not be queued after all.
  Status unqueue() {
    return require(this == READY, "unqueue", CREATED);
  }

  Status run() {
    return require(this == READY, "run", RUNNING);
  }

  Status requeue() {
    return require(this == RUNNING, "requeue", READY);
  }

  Status suspend() {
    return require(this == RUNNING, "suspend", SUSPENDED);
  }

  Status resumeOther() {
    return require(this == RUNNING, "resume another", NORMAL);
  }

  Status wake() {
    return require(this == SUSPENDED || this == NORMAL, "wake", READY);
  }

  Status discard() {
    return require(this == CREATED, "discard", CANCELLED);
  }

  Status end(Status ended) {
    return require(this == RUNNING && ended.isEnded(), "end", ended);
  }

  private Status require(boolean legal, String transition, Status next) {
    if (!legal) {
      throw new AssertionError(transition + " while " + this);
    }
    return next;
  }
}
