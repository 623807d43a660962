// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// Where a request is, of a coroutine or of an object. The numbers are the transitions of the
/// design notes that `docs/internals/states.md` maps: first those of a coroutine's request, then
/// those of an object's.
///
/// ```
///            start O1 O13            complete C1 C9
///   FREED ─────────────────▶ AWAITING ────────────▶ COMPLETED
///    ▲ ▲                         │ ▲   start O3 O14 │ │
///    │ │                         │ └────────────────┘ │
///    │ └─────────── leave Y1 Y4 ─┼────────────────────┘
///    │                           │ cancel R1 R8
///    └──────── drain C2 C10 ── CANCELED
/// ```
///
/// What libuv refuses to start stays where it is. A canceled request still belongs to libuv. It has
/// no way back to AWAITING: whoever wants to start anew is given another block (a coroutine), or
/// refused until the callback came (an object).
@CheckReturnValue
enum RequestState {
  /// libuv does not know the memory.
  FREED,
  /// libuv owns the memory and will call back; somebody waits.
  AWAITING,
  /// libuv has called back; the memory is kept for the next request of the same owner.
  COMPLETED,
  /// Nobody waits any more; libuv owns the memory until it calls back.
  CANCELED;

  RequestState start() {
    return Transition.require(this, this == FREED || this == COMPLETED, "start", AWAITING);
  }

  RequestState complete() {
    return Transition.require(this, this == AWAITING, "complete", COMPLETED);
  }

  RequestState cancel() {
    return Transition.require(this, this == AWAITING, "cancel", CANCELED);
  }

  RequestState drain() {
    return Transition.require(this, this == CANCELED, "drain", FREED);
  }

  RequestState leave() {
    return Transition.require(this, this == COMPLETED, "leave", FREED);
  }
}
