// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// One await, as the door to suspension sees it: it starts, and then ends exactly once.
///
/// ```
///            start = true                       the waiter takes the result
///   new ───────────────────────────▶ complete ──────────────────────────────▶ over
///    │ start = false        completed() ▲  │ surrender: the waiter was resumed instead
///    └──────────▶ awaiting ─────────────┘  └─▶ what it carries is handed on or released
///                    │ cancel: the waiter leaves
///                    └─▶ nobody is told; what comes late is handed on or released
/// ```
///
/// `toString` says what is awaited, for dumps and error messages.
public interface Operation {
  /// Starts it. True if it is complete already, and then the waiter is not told again. A failure of
  /// the world counts as completion; misuse throws before anything is started.
  boolean start(Waiter waiter);

  /// The waiter leaves before completion. It will not be told any more.
  void cancel();

  /// The waiter is cancelled, and leaves unless it comes too late: false if the operation is complete,
  /// by another thread whose post is still on its way. Then the waiter will be told.
  default boolean tryCancel() {
    cancel();
    return true;
  }

  /// The waiter leaves after completion, without taking what the operation carries.
  void surrender();
}
