// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

/// Where a loop gets its time from. Tests give it a virtual one; see `dev.couv.testing.TestClock`.
public interface TimeSource {
  /// The machine's monotonic clock.
  TimeSource SYSTEM = System::nanoTime;

  /// Now, in nanoseconds from an arbitrary origin; never goes back.
  long nanos();

  /// Whether its time passes only when the loop has nothing to do: see [#jump].
  default boolean isVirtual() {
    return false;
  }

  /// How long the sockets that somebody waits for must have been silent before a [#jump], in
  /// nanoseconds of the machine's clock. Nothing tells whether a peer is about to answer.
  default long quietNanos() {
    return 0;
  }

  /// Nothing is ready, nothing is in flight, and the next deadline is at `deadline`: a virtual clock
  /// may go there. True if it did.
  default boolean jump(long deadline) {
    return false;
  }
}
