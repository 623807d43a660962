// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Memory;
import dev.couv.uv.UvEnv;

/// How many threads libuv has for files and names. libuv asks the environment when it first needs one,
/// and never again; so the number can be set from Java until then.
public final class PoolThreads {
  private static final int MOST = 1024;

  /// Whether libuv may have started its threads. Set by any loop's thread, before the first request.
  private static volatile boolean started;

  private PoolThreads() {}

  /// Any thread, one at a time: the environment has no lock.
  ///
  /// @throws IllegalStateException if the threads are there already
  public static synchronized void set(int count) {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException("from 1 to " + MOST + " threads, not " + count);
    }
    if (started) {
      throw new IllegalStateException(
          "libuv's threads have started: their number can be set only before the first file call or"
              + " name lookup");
    }
    long name = Memory.newString("UV_THREADPOOL_SIZE");
    long value = Memory.newString(Integer.toString(count));
    try {
      Failures.assertOk("uv_os_setenv", UvEnv.uv_os_setenv(name, value));
    } finally {
      Memory.free(name);
      Memory.free(value);
    }
  }

  /// A request for one of the threads is about to be made.
  static void needed() {
    if (!started) {
      started = true;
    }
  }
}
