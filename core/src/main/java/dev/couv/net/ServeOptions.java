// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.stream.ByteStream;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// How to serve.
///
/// @param limit how many connections at once; of a pool, on each of its loops
/// @param whenFull what becomes of those that come beyond that
/// @param grace how long connections may go on when the server ends, before they are cancelled
/// @param onFailure is told what a connection failed with, in its coroutine, before it is closed; null to log
///     it
public record ServeOptions(
    int limit,
    WhenFull whenFull,
    Duration grace,
    @Nullable BiConsumer<? super ByteStream, ? super Throwable> onFailure) {
  /// Any number of connections, five seconds at the end, failures logged.
  public static final ServeOptions DEFAULT =
      new ServeOptions(Integer.MAX_VALUE, WhenFull.WAIT, Duration.ofSeconds(5), null);

  /// Refuses a limit below one, and a negative grace.
  public ServeOptions {
    if (limit < 1) {
      throw new IllegalArgumentException("a limit of " + limit);
    }
    Objects.requireNonNull(whenFull, "whenFull");
    if (grace.isNegative()) {
      throw new IllegalArgumentException("negative grace: " + grace);
    }
  }

  /// No more than that many connections at once; what becomes of others [#whenFull] says.
  public ServeOptions withLimit(int newLimit) {
    return new ServeOptions(newLimit, whenFull, grace, onFailure);
  }

  /// What becomes of connections that come beyond the limit.
  public ServeOptions withWhenFull(WhenFull newWhenFull) {
    return new ServeOptions(limit, newWhenFull, grace, onFailure);
  }

  /// When the server ends, connections may go on for that long before they are cancelled.
  public ServeOptions withGrace(Duration newGrace) {
    return new ServeOptions(limit, whenFull, newGrace, onFailure);
  }

  /// Tells what a connection failed with, in its coroutine, before it is closed; null to log it.
  public ServeOptions withOnFailure(
      @Nullable BiConsumer<? super ByteStream, ? super Throwable> newOnFailure) {
    return new ServeOptions(limit, whenFull, grace, newOnFailure);
  }
}
