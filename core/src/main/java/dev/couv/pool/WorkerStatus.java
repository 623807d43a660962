// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

/// Where a [Worker] is in its life.
///
/// ```
///            resume                  yield
///   SUSPENDED ──────▶ RUNNING ──────────────▶ SUSPENDED
///       │ close          │ the body ends
///       └────▶ DEAD ◀────┘
/// ```
public enum WorkerStatus {
  /// Fresh, or at a yield: the next resume goes on.
  SUSPENDED,
  /// A step is under way, awaited or not.
  RUNNING,
  /// The body has ended, or was closed.
  DEAD
}
