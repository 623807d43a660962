// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.coro.Body;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// When all of an exchange must be over, and each of its steps.
public final class Deadline {
  /// By `Time.nanos()`; meaningless without a limit.
  private final long end;

  private final boolean limited;

  private Deadline(long end, boolean limited) {
    this.end = end;
    this.limited = limited;
  }

  /// So long from now; null for never.
  public static Deadline after(@Nullable Duration whole) {
    return whole == null
        ? new Deadline(0, false)
        : new Deadline(Time.nanos() + whole.toNanos(), true);
  }

  /// Does it within that time, and before the end of all.
  ///
  /// @throws SocketTimeoutException if it takes longer, which says what did
  public <T extends @Nullable Object> T limit(Duration step, String what, Body<T> body)
      throws IOException {
    long left = limited ? end - Time.nanos() : Long.MAX_VALUE;
    boolean last = limited && left < step.toNanos();
    try {
      return Time.timeout(last ? Duration.ofNanos(Math.max(left, 1)) : step, body);
    } catch (TimeoutException over) {
      throw new SocketTimeoutException(
          what + (last ? ": the time for all of it is over" : ": not within " + step));
    } catch (IOException | RuntimeException failed) {
      throw failed;
    } catch (Exception impossible) {
      throw new AssertionError(impossible);
    }
  }

  /// Does it before the end of all.
  public <T extends @Nullable Object> T limit(String what, Body<T> body) throws IOException {
    if (limited) {
      return limit(Duration.ofNanos(Long.MAX_VALUE), what, body);
    }
    try {
      return body.run();
    } catch (IOException | RuntimeException failed) {
      throw failed;
    } catch (Exception impossible) {
      throw new AssertionError(impossible);
    }
  }
}
