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
    return switch (this) {
      case FREED -> READY;
      case READY, AWAITING, COMPLETED, CLOSING -> throw illegal("open");
    };
  }

  ObjectHandleState await() {
    return switch (this) {
      case READY, COMPLETED -> AWAITING;
      case AWAITING, CLOSING, FREED -> throw illegal("await");
    };
  }

  ObjectHandleState complete() {
    return switch (this) {
      case AWAITING -> COMPLETED;
      case READY, COMPLETED, CLOSING, FREED -> throw illegal("complete");
    };
  }

  ObjectHandleState stop() {
    return switch (this) {
      case AWAITING, COMPLETED -> READY;
      case READY, CLOSING, FREED -> throw illegal("stop");
    };
  }

  ObjectHandleState close() {
    return switch (this) {
      case READY, AWAITING, COMPLETED -> CLOSING;
      case CLOSING, FREED -> throw illegal("close");
    };
  }

  ObjectHandleState closed() {
    return switch (this) {
      case CLOSING -> FREED;
      case READY, AWAITING, COMPLETED, FREED -> throw illegal("closed");
    };
  }

  boolean isOpen() {
    return switch (this) {
      case READY, AWAITING, COMPLETED -> true;
      case CLOSING, FREED -> false;
    };
  }

  private AssertionError illegal(String transition) {
    return new AssertionError(transition + " while " + this);
  }
}
