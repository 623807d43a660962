// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.TimerQueue;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// How long those at one end of a channel wait for the other, and since when there was nobody. Guarded by the
/// lock of the [Passage].
final class Patience {
  // Immutable.
  private final long noProducerNanos;
  private final long noConsumerNanos;

  private long lastGiven;
  private long lastTaken;

  Patience(ChanOptions options, long now) {
    noProducerNanos = nanos(options.noProducerTimeout());
    noConsumerNanos = nanos(options.noConsumerTimeout());
    lastGiven = now;
    lastTaken = now;
  }

  private static long nanos(@Nullable Duration timeout) {
    return timeout == null ? 0 : TimerQueue.nanos(timeout);
  }

  /// Whether it can end at all.
  boolean isLimited() {
    return noProducerNanos + noConsumerNanos > 0;
  }

  /// How long one waits at that end before the channel closes itself; 0 is for ever. Any thread.
  long nanos(Endpoint endpoint) {
    return switch (endpoint) {
      case IN -> noProducerNanos;
      case OUT -> noConsumerNanos;
      case ANY -> 0;
    };
  }

  /// Somebody at that end has met somebody.
  void met(Endpoint endpoint, long now) {
    if (endpoint != Endpoint.IN) {
      lastGiven = now;
    }
    if (endpoint != Endpoint.OUT) {
      lastTaken = now;
    }
  }

  /// How long there still is to wait for one who has waited at that end since then.
  long left(Endpoint endpoint, long since, long now) {
    long last = endpoint == Endpoint.IN ? lastGiven : lastTaken;
    return (last - since > 0 ? last : since) + nanos(endpoint) - now;
  }

  /// What it says when it has run out at that end. Any thread.
  TimeoutException end(Endpoint endpoint) {
    String who = endpoint == Endpoint.IN ? "no producer" : "no consumer";
    return new TimeoutException(who + " within " + Duration.ofNanos(nanos(endpoint)));
  }
}
