// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.Transition;

/// Where an await is between the two doors.
///
/// ```
///          begin               settle              suspend            wake
///   IDLE ──────────▶ STARTING ────────▶ SETTLING ──────────▶ WAITING ────────▶ ENDED
///    ▲ │                │                  │ ▲                │ ▲ │              │
///    │ └────────────────┼──────────────────┘ │ stay     leave │ │ │ stay         │
///    │   beginSettled   │ end              leave              ▼ │ │              │
///    │                  ▼                  └───────────────▶ LEAVING ───────────▶│
///    └───────────────────────────────────────────────────────────────────────────┘ over
/// ```
///
/// In STARTING, SETTLING and LEAVING library code runs for it that any call of the JDK may park: then
/// everybody else goes on. What comes meanwhile, a completion, a cancellation, a resume, is recorded
/// and honoured by whoever is in the middle of it. Only in WAITING does it act at once.
@CheckReturnValue
enum WaitPhase {
  /// No await.
  IDLE,
  /// On the strand's thread: its operation is being started, which may run code of the user.
  STARTING,
  /// On the strand's thread: started, and about to suspend.
  SETTLING,
  /// The strand is suspended.
  WAITING,
  /// Somebody makes the operation let go of the strand: the strand itself or another.
  LEAVING,
  /// How it ended is known.
  ENDED;

  WaitPhase begin() {
    return Transition.require(this, this == IDLE, "begin", STARTING);
  }

  /// Of a wait that has nothing to start.
  WaitPhase beginSettled() {
    return Transition.require(this, this == IDLE, "begin", SETTLING);
  }

  WaitPhase settle() {
    return Transition.require(this, this == STARTING, "settle", SETTLING);
  }

  WaitPhase suspend() {
    return Transition.require(this, this == SETTLING, "suspend", WAITING);
  }

  WaitPhase leave() {
    return Transition.require(this, this == WAITING || this == SETTLING, "leave", LEAVING);
  }

  /// It cannot be left any more: its completion is on its way.
  WaitPhase stay(WaitPhase before) {
    return Transition.require(
        this, this == LEAVING && (before == WAITING || before == SETTLING), "stay", before);
  }

  WaitPhase end() {
    return Transition.require(this, this != IDLE && this != ENDED, "end", ENDED);
  }

  WaitPhase over() {
    return IDLE;
  }
}
