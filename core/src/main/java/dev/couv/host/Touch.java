// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.loop.PathBytes;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/// Sets the times of what is at a path, to the nanosecond: by the system's own call, because libuv's takes seconds
/// as floating-point numbers, and rounds to microseconds.
final class Touch {
  private static final long TIMESPEC = 16;

  private Touch() {}

  static BlockingCall<@Nullable Void> of(
      Path path, boolean ofLink, @Nullable Instant accessed, @Nullable Instant modified) {
    int flags = ofLink ? Posix.AT_SYMLINK_NOFOLLOW : 0;
    LongToIntFunction set =
        times -> Answers.given(path, at -> Posix.utimensat(Posix.AT_FDCWD, at, times, flags));
    return BlockingCall.of(
        "touch",
        PathBytes.check(path),
        null,
        null,
        () -> {
          Failures.checkFile(with(accessed, modified, set), "touch", path);
          return null;
        });
  }

  /// What the call answers that is given those two times; null leaves a time as it is.
  static int with(@Nullable Instant accessed, @Nullable Instant modified, LongToIntFunction call) {
    return Answers.room(
        2 * TIMESPEC,
        times -> {
          put(times, accessed);
          put(times + TIMESPEC, modified);
          return call.applyAsInt(times);
        });
  }

  private static void put(long timespec, @Nullable Instant time) {
    Memory.putLong(timespec, time == null ? 0 : time.getEpochSecond());
    Memory.putLong(timespec + 8, time == null ? Posix.UTIME_OMIT : time.getNano());
  }
}
