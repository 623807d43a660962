// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import dev.couv.http.HttpLimits;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// How long the next bytes of a body are waited for: whoever sends a byte now and then is given no more time than its bytes
/// are worth.
public final class BodyPace {
  private final HttpLimits limits;

  /// When the request that it is of began to come.
  private final long began;

  private long waited;

  /// Of a body that has just begun, of a request that came from then on, by `Time.nanos()`.
  public BodyPace(HttpLimits limits, long began) {
    this.limits = limits;
    this.began = began;
  }

  /// How long it may take until something comes, when that many bytes have come.
  public Duration patience(long taken) {
    Duration next = patienceOfPart(taken);
    Duration whole = limits.whole();
    if (whole == null) {
      return next;
    }
    Duration left = Duration.ofNanos(Math.max(whole.toNanos() - (Time.nanos() - began), 0));
    return left.compareTo(next) < 0 ? left : next;
  }

  private Duration patienceOfPart(long taken) {
    if (limits.bodyRate() == 0) {
      return limits.bodyTime();
    }
    long most = limits.bodyTime().toNanos();
    // No more than a long can have: who sends that much, or is asked for little, has earned it all.
    long earned = TimeUnit.SECONDS.toNanos(taken / limits.bodyRate());
    return Duration.ofNanos(most + Math.clamp(earned - waited, -most, 0));
  }

  /// It was waited for so long.
  public void waited(long nanos) {
    waited += nanos;
  }
}
