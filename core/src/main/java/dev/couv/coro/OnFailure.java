// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

/// What a failure in a scope does that nobody takes.
enum OnFailure {
  /// Cancels the scope's coroutines; the scope ends with it.
  CANCEL,
  /// The same, and says so in the log: the failure ends a whole program.
  CANCEL_AND_REPORT,
  /// The scope ends with it, when everybody has ended.
  KEEP,
  /// Only the log hears of it.
  REPORT
}
