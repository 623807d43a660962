// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Is told of every request that was answered, in the connection's coroutine.
@FunctionalInterface
public interface AccessLog {
  /// A request and what became of it. What this throws is logged, and nothing else comes of it.
  void served(Access access);

  /// A request and what became of it.
  ///
  /// @param request what came; null if it was so malformed that nobody knows
  /// @param peer who sent it
  /// @param status what it was answered with
  /// @param bytes how many bytes of body were sent
  /// @param time from the end of its head to the end of its answer
  /// @param at when its answer was at its end, by the loop's clock
  record Access(
      @Nullable Request request, Peer peer, int status, long bytes, Duration time, Instant at) {
    /// As a line in the "combined" format, which most tools read.
    @Override
    public String toString() {
      return AccessLines.combined(this);
    }
  }

  /// One that gives each as a line in the "combined" format, which most tools read. It is given on the loop's thread, and must not wait there: who writes
  /// to `System.out` waits for whoever reads that, and everybody with him. A channel takes lines at once, and another coroutine writes them:
  ///
  /// ```java
  /// var lines = Chan.<String>create(10_000); // if they are not written fast enough some are missing
  /// Coroutine.spawn(() -> {
  ///   for (var line : lines) Terminal.stdout().write(line + "\n");
  /// });
  /// var options = ServerOptions.DEFAULT.withAccessLog(AccessLog.to(lines::trySend));
  /// ```
  static AccessLog to(Consumer<? super String> lines) {
    return access -> lines.accept(access.toString());
  }
}
