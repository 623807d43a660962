// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import org.jspecify.annotations.Nullable;

/// What plain Java code makes of an interrupt. Who is cancelled there is interrupted, and what comes out of it is an exception that says nothing of
/// what was called.
final class Interruption {
  /// Drivers wrap it, but not without end.
  private static final int DEEPEST = 16;

  private Interruption() {}

  /// Whether the failure comes from an interrupt, and the calling coroutine is cancelled. To know that it lets the others run, if there was an
  /// interrupt: whatever it awaits next tells it of the cancellation once more.
  static boolean isOfCancelled(Exception failure) {
    if (!isOne(failure)) {
      return false;
    }
    try {
      Coroutine.pause();
      return false;
    } catch (Cancelled told) {
      return true;
    }
  }

  private static boolean isOne(Exception failure) {
    @Nullable Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      boolean interrupted =
          cause instanceof InterruptedException
              || cause instanceof ClosedByInterruptException
              || cause instanceof InterruptedIOException;
      if (interrupted && !(cause instanceof SocketTimeoutException)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
