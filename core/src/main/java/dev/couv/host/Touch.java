// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.PathBytes;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Sets the times of what is at a path, to the nanosecond: by the system's own call, because libuv's takes seconds
/// as floating-point numbers, and rounds to microseconds.
final class Touch extends BlockingCall<@Nullable Void> {
  private static final long TIMESPEC = 16;

  /// A call that is given two times.
  @FunctionalInterface
  interface Call {
    int make(long times);
  }

  private final Path path;
  private final boolean ofLink;
  private final @Nullable Instant accessed;
  private final @Nullable Instant modified;

  Touch(Path path, boolean ofLink, @Nullable Instant accessed, @Nullable Instant modified) {
    super("touch", PathBytes.check(path));
    this.path = path;
    this.ofLink = ofLink;
    this.accessed = accessed;
    this.modified = modified;
  }

  @Override
  @Nullable Void make() throws IOException {
    long address = PathBytes.allocate(path);
    try {
      int flags = ofLink ? Posix.AT_SYMLINK_NOFOLLOW : 0;
      checked(
          with(
              accessed, modified, times -> Posix.utimensat(Posix.AT_FDCWD, address, times, flags)));
      return null;
    } finally {
      Memory.free(address);
    }
  }

  /// What the call answers that is given those; null leaves a time as it is.
  static int with(@Nullable Instant accessed, @Nullable Instant modified, Call call) {
    return Answers.room(
        2 * TIMESPEC,
        times -> {
          put(times, accessed);
          put(times + TIMESPEC, modified);
          return call.make(times);
        });
  }

  private static void put(long timespec, @Nullable Instant time) {
    Memory.putLong(timespec, time == null ? 0 : time.getEpochSecond());
    Memory.putLong(timespec + 8, time == null ? Posix.UTIME_OMIT : time.getNano());
  }
}
