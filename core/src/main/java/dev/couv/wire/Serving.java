// SPDX-License-Identifier: Apache-2.0
package dev.couv.wire;

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a server does with its connections, whatever they are.
///
/// @param limit how many at once
/// @param waits whether those that come beyond that wait to be accepted, or are closed
/// @param grace how long they may go on when the server ends
/// @param onFailure is told what one failed with; null to log it
/// @param handler serves one
/// @param closing closes one; does nothing the second time
public record Serving<S>(
    int limit,
    boolean waits,
    Duration grace,
    @Nullable BiConsumer<? super S, ? super Throwable> onFailure,
    Handler<? super S> handler,
    Consumer<? super S> closing) {
  /// Serves one connection.
  @FunctionalInterface
  public interface Handler<S> {
    /// Returns, or throws, when it is over.
    void serve(S connection) throws Exception;
  }
}
