// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How a channel is made.
///
/// @param capacity how many values it holds before senders wait; 0: each value is handed from a
///   sender to a receiver, who wait for each other
/// @param noProducerTimeout closes the channel when receivers wait and nobody sends for so long;
///   null: never
/// @param noConsumerTimeout closes the channel when senders wait and nobody receives for so long;
///   null: never
/// @param isShared whether other loops or plain threads will use it, so that a wait for them keeps
///   the loop running from the start, and `-Dcouv.check=transfer` refuses what belongs to a loop at
///   once
/// @param onWait is run whenever somebody begins to wait at either end, on the thread of whoever
///   does; null: nothing is
public record ChanOptions(
    int capacity,
    @Nullable Duration noProducerTimeout,
    @Nullable Duration noConsumerTimeout,
    boolean isShared,
    @Nullable Runnable onWait) {

  private static final int UNBOUNDED = Integer.MAX_VALUE;

  /// Checks that the capacity is not negative, and that there is no timeout that is not positive.
  public ChanOptions {
    if (capacity < 0) {
      throw new IllegalArgumentException("a channel cannot have a capacity of " + capacity);
    }
    checkTimeout(noProducerTimeout);
    checkTimeout(noConsumerTimeout);
  }

  /// A channel that holds so many values.
  ///
  /// @throws IllegalArgumentException if that is negative, or so many that it is no limit
  public static ChanOptions of(int capacity) {
    if (capacity == UNBOUNDED) {
      throw new IllegalArgumentException(
          "a channel needs a limit: a sender that never waits fills the memory. If you want one"
              + " without, say ChanOptions.unbounded()");
    }
    return new ChanOptions(capacity, null, null, false, null);
  }

  /// A channel whose senders never wait, however many values are in it.
  public static ChanOptions unbounded() {
    return new ChanOptions(UNBOUNDED, null, null, false, null);
  }

  /// These options with another capacity.
  public ChanOptions withCapacity(int newCapacity) {
    return new ChanOptions(newCapacity, noProducerTimeout, noConsumerTimeout, isShared, onWait);
  }

  /// The channel closes itself when receivers wait and nobody sends for so long.
  public ChanOptions withNoProducerTimeout(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    return new ChanOptions(capacity, timeout, noConsumerTimeout, isShared, onWait);
  }

  /// The channel closes itself when senders wait and nobody receives for so long.
  public ChanOptions withNoConsumerTimeout(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    return new ChanOptions(capacity, noProducerTimeout, timeout, isShared, onWait);
  }

  /// Whether other loops or plain threads will use it, however late: a wait for them is no deadlock
  /// then.
  public ChanOptions withShared(boolean shared) {
    return new ChanOptions(capacity, noProducerTimeout, noConsumerTimeout, shared, onWait);
  }

  /// Is run whenever somebody begins to wait at either end, a member of a select too: for those who
  /// fetch or make values only when they are wanted. On the thread of whoever waits; it must
  /// neither wait nor throw.
  public ChanOptions withOnWait(Runnable newOnWait) {
    Objects.requireNonNull(newOnWait, "onWait");
    return new ChanOptions(capacity, noProducerTimeout, noConsumerTimeout, isShared, newOnWait);
  }

  private static void checkTimeout(@Nullable Duration timeout) {
    if (timeout != null && !timeout.isPositive()) {
      throw new IllegalArgumentException("a timeout must be positive: " + timeout);
    }
  }
}
