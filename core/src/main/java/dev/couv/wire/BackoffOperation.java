// SPDX-License-Identifier: Apache-2.0
package dev.couv.wire;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Pause;
import java.util.concurrent.TimeUnit;

/// A pause before something is tried again that the system has no room for now and gives no sign of.
public final class BackoffOperation extends Pause {
  private static final long LONGEST_MILLIS = 50;

  private final String purpose;
  private final long millis;

  private BackoffOperation(EventLoop loop, long millis, String purpose) {
    super(loop, loop.clock() + TimeUnit.MILLISECONDS.toNanos(millis));
    this.purpose = purpose;
    this.millis = millis;
  }

  /// The pauses double with each attempt.
  public static BackoffOperation after(int attempt, EventLoop loop, String purpose) {
    return new BackoffOperation(
        loop, Math.min(1L << Math.min(attempt, 10), LONGEST_MILLIS), purpose);
  }

  @Override
  public String toString() {
    return purpose + ", again in " + millis + " ms";
  }
}
