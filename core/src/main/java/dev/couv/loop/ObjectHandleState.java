// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// Where the handle of an object is. The numbers are the transitions of the design notes that
/// `docs/internals/states.md` maps.
///
/// ```
///   FREED ── open ──▶ READY
///
///             await O11             complete C8
///   READY ────────────────▶ AWAITING ─────────▶ COMPLETED
///    │ ▲ ▲                   │   │ ▲   await O12  │  │  │
///    │ │ └──── stop R7 ──────┘   │ └──────────────┘  │  │
///    │ └─────── stop Y3 ─────────┼───────────────────┘  │
///    │ close G1                  │ close G2             │ close G3
///    └────────────▶ CLOSING ◀────┴──────────────────────┘
///                      └──── closed F4 ───▶ FREED
/// ```
@CheckReturnValue
enum ObjectHandleState {
  /// Open and idle: nothing is started.
  READY,
  /// Started, and a coroutine waits.
  AWAITING,
  /// Started, and nobody waits: the next await starts nothing. An event that finds nobody stops it.
  COMPLETED,
  /// Waiting for the close callback.
  CLOSING,
  /// Not open yet, or closed: libuv knows no memory of it.
  FREED;

  ObjectHandleState open() {
    return Transition.require(this, this == FREED, "open", READY);
  }

  ObjectHandleState await() {
    return Transition.require(this, this == READY || this == COMPLETED, "await", AWAITING);
  }

  ObjectHandleState complete() {
    return Transition.require(this, this == AWAITING, "complete", COMPLETED);
  }

  ObjectHandleState stop() {
    return Transition.require(this, this == AWAITING || this == COMPLETED, "stop", READY);
  }

  ObjectHandleState close() {
    return Transition.require(
        this, this == READY || this == AWAITING || this == COMPLETED, "close", CLOSING);
  }

  ObjectHandleState closed() {
    return Transition.require(this, this == CLOSING, "closed", FREED);
  }

  boolean isOpen() {
    return switch (this) {
      case READY, AWAITING, COMPLETED -> true;
      case CLOSING, FREED -> false;
    };
  }
}
