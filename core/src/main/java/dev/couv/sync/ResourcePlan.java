// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Body;
import dev.couv.strand.Suspension;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How [Resources] are made, checked and given up. Everything it is given may wait.
public final class ResourcePlan<R> {
  /// Gives a resource up.
  @FunctionalInterface
  public interface Disposal<R> {
    /// Gives it up; may wait.
    void dispose(R resource) throws Exception;
  }

  /// Tells whether a resource can still be used.
  @FunctionalInterface
  public interface Check<R> {
    /// Looks at it; may wait.
    boolean isUsable(R resource) throws Exception;
  }

  private static final int DEFAULT_MAX = 10;

  /// Within half the clock's range, about 146 years: times are compared by their difference.
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  final Body<R> factory;
  Disposal<R> disposal = ResourcePlan::close;
  @Nullable Check<R> check;
  int max = DEFAULT_MAX;
  int min;
  @Nullable Duration idle;
  @Nullable Duration interval;
  int failures;
  Duration pause = Duration.ZERO;

  ResourcePlan(Body<R> factory) {
    this.factory = Objects.requireNonNull(factory, "factory");
  }

  private static <R> void close(R resource) throws Exception {
    if (resource instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }

  /// How many resources there are at most at any time; 10 unless said otherwise.
  public ResourcePlan<R> max(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("max: " + count);
    }
    max = count;
    return this;
  }

  /// How many resources are kept however long they are idle.
  public ResourcePlan<R> min(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("min: " + count);
    }
    min = count;
    return this;
  }

  /// Gives a resource up; unless said otherwise it is closed, if it is `AutoCloseable`.
  public ResourcePlan<R> disposal(Disposal<R> how) {
    disposal = Objects.requireNonNull(how, "how");
    return this;
  }

  /// Asked before a resource is handed out again: one that is not usable, or where this throws, is given
  /// up and another made.
  public ResourcePlan<R> check(Check<R> how) {
    check = Objects.requireNonNull(how, "how");
    return this;
  }

  /// The check is also asked of idle resources, that often.
  public ResourcePlan<R> checkEvery(Duration often) {
    interval = timed(often, "checkEvery");
    return this;
  }

  /// One that was idle for so long is given up.
  public ResourcePlan<R> idleAtMost(Duration duration) {
    idle = timed(duration, "idleAtMost");
    return this;
  }

  /// After so many failures in a row, to make one or by [Lease#discard], whoever asks is refused for that
  /// long; then one at a time may try again.
  public ResourcePlan<R> breakAfter(int inARow, Duration until) {
    if (inARow < 1) {
      throw new IllegalArgumentException("breakAfter: " + inARow + " failures");
    }
    pause = timed(until, "breakAfter");
    failures = inARow;
    return this;
  }

  /// Nothing is made yet. In a coroutine, to whose loop they belong.
  public Resources<R> open() {
    Suspension.loop("ResourcePlan.open");
    if (min > max) {
      throw new IllegalArgumentException("min " + min + " is more than max " + max);
    }
    return new Resources<>(this);
  }

  private static Duration timed(Duration duration, String call) {
    if (!duration.isPositive() || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(call + ": " + duration);
    }
    return duration;
  }
}
