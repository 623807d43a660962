// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Status;
import java.io.IOException;

/// Waiting for what another coroutine of the loop has come to, without a clock.
public final class Coroutines {
  private Coroutines() {}

  /// Returns when the await of the other has completed and it has not run since: the moment at which
  /// a cancel or a resume meets a result.
  public static void pauseUntilReady(Coroutine<?> other) {
    while (other.status() != Status.READY) {
      if (other.status() != Status.SUSPENDED) {
        throw new AssertionError(other + " is " + other.status());
      }
      Coroutine.pause();
    }
  }

  /// Returns when the stream has bytes that the kernel would not take.
  public static void pauseUntilPending(ByteStream stream) throws IOException {
    while (stream.pending() == 0) {
      Coroutine.pause();
    }
  }
}
