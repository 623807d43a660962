// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Loop;
import dev.couv.loop.Failures;
import dev.couv.loop.PathBytes;
import dev.couv.strand.Suspension;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Sets the times of a file, to the nanosecond: by the system's own call, because libuv's takes seconds
/// as floating-point numbers, and rounds to microseconds. Awaited, it runs on another thread.
final class Touch {
  private static final long TIMESPEC = 16;

  @FunctionalInterface
  private interface Call {
    int make(long times);
  }

  private final String subject;
  private final @Nullable Instant accessed;
  private final @Nullable Instant modified;
  private final Call call;

  private Touch(String subject, @Nullable Instant accessed, @Nullable Instant modified, Call call) {
    this.subject = subject;
    this.accessed = accessed;
    this.modified = modified;
    this.call = call;
  }

  static Touch path(
      Path path, boolean ofLink, @Nullable Instant accessed, @Nullable Instant modified) {
    PathBytes.check(path);
    int flags = ofLink ? Posix.AT_SYMLINK_NOFOLLOW : 0;
    return new Touch(
        path.toString(),
        accessed,
        modified,
        times -> {
          long address = PathBytes.allocate(path);
          try {
            return Posix.utimensat(Posix.AT_FDCWD, address, times, flags);
          } finally {
            Memory.free(address);
          }
        });
  }

  static Touch file(
      int descriptor, String name, @Nullable Instant accessed, @Nullable Instant modified) {
    return new Touch(name, accessed, modified, times -> Posix.futimens(descriptor, times));
  }

  void make(Way way) throws IOException {
    if (way == Way.NOW) {
      make();
      return;
    }
    Suspension.loop(this); // it is this that needs a coroutine, not how it is done
    try {
      Loop.offload(
          () -> {
            make();
            return null;
          });
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  void make() throws IOException {
    long times = Memory.malloc(2 * TIMESPEC);
    if (times == 0) {
      throw new OutOfMemoryError("native memory for the times of " + subject);
    }
    try {
      put(times, accessed);
      put(times + TIMESPEC, modified);
      int code = call.make(times);
      if (code < 0) {
        throw Failures.ofFile(code, "touch", subject);
      }
    } finally {
      Memory.free(times);
    }
  }

  private static void put(long timespec, @Nullable Instant time) {
    Memory.putLong(timespec, time == null ? 0 : time.getEpochSecond());
    Memory.putLong(timespec + 8, time == null ? Posix.UTIME_OMIT : time.getNano());
  }

  @Override
  public String toString() {
    return "touch " + subject;
  }
}
