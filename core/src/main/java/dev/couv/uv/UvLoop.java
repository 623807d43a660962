// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.LONG;
import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.SIZE_T;
import static dev.couv.uv.Call.VOID;

/// Loops: `uv_loop_t`, allocated by [#uv_loop_size].
public final class UvLoop {
  public static final int UV_RUN_DEFAULT = 0;
  public static final int UV_RUN_ONCE = 1;
  public static final int UV_RUN_NOWAIT = 2;

  private static final Call SIZE = Call.critical("uv_loop_size", SIZE_T);
  private static final Call INIT = Call.of("uv_loop_init", INT, POINTER);
  private static final Call CLOSE = Call.of("uv_loop_close", INT, POINTER);
  private static final Call RUN = Call.of("uv_run", INT, POINTER, INT);
  // Sets a flag.
  private static final Call STOP = Call.critical("uv_stop", VOID, POINTER);
  // Reads a field.
  private static final Call NOW = Call.critical("uv_now", LONG, POINTER);

  // Reads some fields.
  private static final Call BACKEND_TIMEOUT = Call.critical("uv_backend_timeout", INT, POINTER);
  private static final Call BACKEND_FD = Call.critical("uv_backend_fd", INT, POINTER);
  private static final Call UPDATE_TIME = Call.of("uv_update_time", VOID, POINTER);

  private static final Call SLEEP = Call.of("uv_sleep", VOID, INT);

  private UvLoop() {}

  public static long uv_loop_size() {
    return SIZE.call();
  }

  public static int uv_loop_init(long loop) {
    return (int) INIT.call(loop);
  }

  /// `UV_EBUSY` while a request is active or a handle not fully closed.
  public static int uv_loop_close(long loop) {
    return (int) CLOSE.call(loop);
  }

  /// Not 0 if something is still alive: no error code. Calls back, and must not be called from a
  /// callback.
  public static int uv_run(long loop, int mode) {
    return (int) RUN.call(loop, mode);
  }

  /// From callbacks only: called outside [#uv_run] it makes the next one return without polling.
  public static void uv_stop(long loop) {
    STOP.call(loop);
  }

  /// Milliseconds, cached: the time of the last `uv_update_time` or turn of the loop.
  public static long uv_now(long loop) {
    return NOW.call(loop);
  }

  /// A descriptor that is readable while something has come for the loop. Unix only.
  public static int uv_backend_fd(long loop) {
    return (int) BACKEND_FD.call(loop);
  }

  /// For how many milliseconds a wait may last, counted from [#uv_now]: 0 if the loop has something to do now, also to tell the system what it is
  /// to wait for, and -1 if nothing but an event ends it.
  public static int uv_backend_timeout(long loop) {
    return (int) BACKEND_TIMEOUT.call(loop);
  }

  public static void uv_update_time(long loop) {
    UPDATE_TIME.call(loop);
  }

  /// Blocks the calling thread for so many milliseconds. With 0 it still gives up the processor. Any thread.
  public static void uv_sleep(int msec) {
    SLEEP.call(msec);
  }
}
