// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.Transition;

/// Where a strand is in its life.
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
public enum StrandState {
  /// Not started: the first resume starts it.
  CREATED,
  /// In the ready queue.
  READY,
  /// It is the one that runs.
  RUNNING,
  /// It resumed another strand, which runs in its place.
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

  StrandState queue() {
    return Transition.require(this, this == CREATED, "queue", READY);
  }

  /// It could not be queued after all.
  StrandState unqueue() {
    return Transition.require(this, this == READY, "unqueue", CREATED);
  }

  StrandState run() {
    return Transition.require(this, this == READY, "run", RUNNING);
  }

  StrandState requeue() {
    return Transition.require(this, this == RUNNING, "requeue", READY);
  }

  StrandState suspend() {
    return Transition.require(this, this == RUNNING, "suspend", SUSPENDED);
  }

  StrandState resumeOther() {
    return Transition.require(this, this == RUNNING, "resume another", NORMAL);
  }

  StrandState wake() {
    return Transition.require(this, this == SUSPENDED || this == NORMAL, "wake", READY);
  }

  StrandState discard() {
    return Transition.require(this, this == CREATED, "discard", CANCELLED);
  }

  StrandState end(StrandState ended) {
    return Transition.require(this, this == RUNNING && ended.isEnded(), "end", ended);
  }
}
