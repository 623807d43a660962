// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

/// A clock that stands still while there is something to do, and then jumps to the next deadline.
final class JumpingTime implements TimeSource {
  private long nanos;

  /// Loops on such a clock.
  static LoopOptions options() {
    return LoopOptions.DEFAULT.withTime(new JumpingTime());
  }

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public boolean isVirtual() {
    return true;
  }

  @Override
  public boolean jump(long deadline) {
    nanos = Math.max(nanos, deadline);
    return true;
  }
}
