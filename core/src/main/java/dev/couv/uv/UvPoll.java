// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

/// Descriptors that belong to somebody else: `uv_poll_t`.
///
/// The descriptor must stay open until the handle is stopped, and cannot be in two handles of a loop.
/// It may be reported ready when it is not.
public final class UvPoll {
  public static final int UV_READABLE = 1;
  public static final int UV_WRITABLE = 2;

  private static final Call INIT = Call.of("uv_poll_init", INT, POINTER, POINTER, INT);
  private static final Call START = Call.of("uv_poll_start", INT, POINTER, INT, POINTER);
  private static final Call STOP = Call.of("uv_poll_stop", INT, POINTER);

  private UvPoll() {}

  public static int uv_poll_init(long loop, long poll, int fd) {
    return (int) INIT.call(loop, poll, fd);
  }

  public static int uv_poll_start(long poll, int events, long cb) {
    return (int) START.call(poll, events, cb);
  }

  public static int uv_poll_stop(long poll) {
    return (int) STOP.call(poll);
  }
}
