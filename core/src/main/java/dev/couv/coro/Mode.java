// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

/// How long [Loop#run(Mode)] goes on.
public enum Mode {
  /// Until nothing can happen any more, or the loop is halted.
  LOOP,
  /// Runs once what is ready, and waits until at least something is.
  STEP,
  /// Runs once what is ready, and never waits.
  READY
}
