// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// Where a handle in a coroutine's slot is. The numbers are the transitions of the design notes that
/// `docs/internals/states.md` maps.
///
/// ```
///            start O2               complete C5
///   FREED ────────────▶ AWAITING ───────────────▶ COMPLETED
///     ▲                  │   │ ▲     repeat O6     │    │
///     │ closed F1        │   │ └───────────────────┘    │
///     │                  │   │ refuseCancel R3          │
///     │                  │   └─────────▶ CANCELED       │
///     │                  │ close R4          │ close C6 │ close Y2, O7
///   CLOSING ◀────────────┴───────────────────┴──────────┘
/// ```
///
/// COMPLETED is still armed: a coroutine that awaits the same thing again stops and starts nothing,
/// and loses no event that came in between. CANCELED and CLOSING have left the coroutine: its next
/// handle is another.
@CheckReturnValue
enum CoroutineHandleState {
  /// libuv does not know the memory.
  FREED,
  /// The coroutine waits for the handle's callback.
  AWAITING,
  /// The handle fired, or its coroutine left, and stays armed; the coroutine runs.
  COMPLETED,
  /// The coroutine left, but the callback must come before the handle may be closed.
  CANCELED,
  /// Waiting for the close callback.
  CLOSING;

  CoroutineHandleState start() {
    return switch (this) {
      case FREED -> AWAITING;
      case AWAITING, COMPLETED, CANCELED, CLOSING -> throw illegal("start");
    };
  }

  CoroutineHandleState complete() {
    return switch (this) {
      case AWAITING -> COMPLETED;
      case FREED, COMPLETED, CANCELED, CLOSING -> throw illegal("complete");
    };
  }

  CoroutineHandleState repeat() {
    return switch (this) {
      case COMPLETED -> AWAITING;
      case FREED, AWAITING, CANCELED, CLOSING -> throw illegal("repeat");
    };
  }

  CoroutineHandleState refuseCancel() {
    return switch (this) {
      case AWAITING -> CANCELED;
      case FREED, COMPLETED, CANCELED, CLOSING -> throw illegal("refuse to cancel");
    };
  }

  /// The coroutine left; the handle stays in its slot until it turns to something else.
  CoroutineHandleState stayArmed() {
    return switch (this) {
      case AWAITING -> COMPLETED;
      case FREED, COMPLETED, CANCELED, CLOSING -> throw illegal("stay armed");
    };
  }

  /// Every way into closing: cancelled, left, replaced, drained, or never armed.
  CoroutineHandleState close() {
    return switch (this) {
      case AWAITING, COMPLETED, CANCELED -> CLOSING;
      case FREED, CLOSING -> throw illegal("close");
    };
  }

  CoroutineHandleState closed() {
    return switch (this) {
      case CLOSING -> FREED;
      case FREED, AWAITING, COMPLETED, CANCELED -> throw illegal("closed");
    };
  }

  private AssertionError illegal(String transition) {
    return new AssertionError(transition + " while " + this);
  }
}
