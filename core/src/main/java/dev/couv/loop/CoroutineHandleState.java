// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// Where a handle in a coroutine's slot is. The numbers are the transitions of the design notes that
/// `docs/internals/states.md` maps.
///
/// ```
///                               complete C5
///            start O2           stayArmed R3 R4
///   FREED ────────────▶ AWAITING ───────────────▶ COMPLETED
///     ▲                  │     ▲  repeat O6 O8     │    │
///     │ closed F1        │     └───────────────────┘    │
///     │                  │ close: not armed,            │ close Y2 O7
///     │                  │ or the loop ends             │
///   CLOSING ◀────────────┴──────────────────────────────┘
/// ```
///
/// COMPLETED is still armed: a coroutine that awaits the same thing again stops and starts nothing,
/// and loses no event that came in between. CLOSING has left the coroutine: its next handle is another.
@CheckReturnValue
enum CoroutineHandleState {
  /// libuv does not know the memory.
  FREED,
  /// The coroutine waits for the handle's callback.
  AWAITING,
  /// The handle fired, or its coroutine left, and stays armed; the coroutine runs.
  COMPLETED,
  /// Waiting for the close callback.
  CLOSING;

  CoroutineHandleState start() {
    return Transition.require(this, this == FREED, "start", AWAITING);
  }

  CoroutineHandleState complete() {
    return Transition.require(this, this == AWAITING, "complete", COMPLETED);
  }

  CoroutineHandleState repeat() {
    return Transition.require(this, this == COMPLETED, "repeat", AWAITING);
  }

  /// The coroutine left; the handle stays in its slot until it turns to something else.
  CoroutineHandleState stayArmed() {
    return Transition.require(this, this == AWAITING, "stay armed", COMPLETED);
  }

  /// Every way into closing: left, replaced, never armed, or its loop ends.
  CoroutineHandleState close() {
    return Transition.require(this, this == AWAITING || this == COMPLETED, "close", CLOSING);
  }

  CoroutineHandleState closed() {
    return Transition.require(this, this == CLOSING, "closed", FREED);
  }
}
