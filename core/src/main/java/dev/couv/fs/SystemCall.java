// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Loop;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/// A call of the system on open files that libuv does not have, and that may wait for the disk: awaited, on
/// another thread.
///
/// It is a user of the files until it has ended, also if its caller has left it, so their numbers stay theirs.
final class SystemCall {
  private SystemCall() {}

  /// What the system answered.
  static long make(Way way, LongSupplier call, OpenFile... files) throws IOException {
    for (OpenFile file : files) {
      file.use();
    }
    AtomicBoolean begun = new AtomicBoolean();
    try {
      if (way == Way.NOW) {
        return call.getAsLong();
      }
      return Loop.offload(
          () -> {
            if (!begun.compareAndSet(false, true)) {
              return 0L; // its caller has left
            }
            try {
              return call.getAsLong();
            } finally {
              List.of(files).forEach(OpenFile::release);
            }
          });
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      if (begun.compareAndSet(false, true)) {
        List.of(files).forEach(OpenFile::release); // no thread will
      }
    }
  }
}
