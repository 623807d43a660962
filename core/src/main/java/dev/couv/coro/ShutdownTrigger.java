// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

/// Something that may ask a program to end, such as a signal: see [LoopOptions#withShutdownOn].
@FunctionalInterface
public interface ShutdownTrigger {
  /// From now on calls `request` whenever the program is to end, on any thread; it does not wait.
  /// Returns what takes that back.
  Runnable arm(Runnable request);
}
