// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

/// A path whose facts are asked for again and again: `uv_fs_poll_t`. Closing it stops it; the
/// close callback waits for the question that is on its way.
public final class UvFsPoll {
  private static final Call INIT = Call.of("uv_fs_poll_init", INT, POINTER, POINTER);
  private static final Call START =
      Call.of("uv_fs_poll_start", INT, POINTER, POINTER, POINTER, INT);

  private UvFsPoll() {}

  public static int uv_fs_poll_init(long loop, long handle) {
    return (int) INIT.call(loop, handle);
  }

  /// Copies the path. The interval is in milliseconds. The first answer is only what later ones are
  /// compared with; a failure is told once.
  public static int uv_fs_poll_start(long handle, long poll_cb, long path, int interval) {
    return (int) START.call(handle, poll_cb, path, interval);
  }
}
