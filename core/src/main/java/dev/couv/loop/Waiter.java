// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// Whoever waits for an operation: told once when it has completed, and the owner of the native
/// slot that a request or handle of its own lives in.
public interface Waiter {
  /// The waiter's own place for requests and handles, made on first use.
  Slot slot();

  /// The operation it waits for is complete. Called on the loop's thread, at most once per start;
  /// it must not run user code, because the caller may be a native callback.
  void completed();
}
