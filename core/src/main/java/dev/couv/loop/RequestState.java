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
    return switch (this) {
      case FREED, COMPLETED -> AWAITING;
      case AWAITING, CANCELED -> throw illegal("start");
    };
  }

  RequestState complete() {
    return switch (this) {
      case AWAITING -> COMPLETED;
      case FREED, COMPLETED, CANCELED -> throw illegal("complete");
    };
  }

  RequestState cancel() {
    return switch (this) {
      case AWAITING -> CANCELED;
      case FREED, COMPLETED, CANCELED -> throw illegal("cancel");
    };
  }

  RequestState drain() {
    return switch (this) {
      case CANCELED -> FREED;
      case FREED, AWAITING, COMPLETED -> throw illegal("drain");
    };
  }

  RequestState leave() {
    return switch (this) {
      case COMPLETED -> FREED;
      case FREED, AWAITING, CANCELED -> throw illegal("leave");
    };
  }

  private AssertionError illegal(String transition) {
    return new AssertionError(transition + " while " + this);
  }
}
