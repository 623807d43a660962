// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

/// Functions of libuv that only tests call.
public final class OtherCalls {
  private static final Call IDLE_INIT = Call.critical("uv_idle_init", INT, POINTER, POINTER);
  private static final Call IDLE_START = Call.critical("uv_idle_start", INT, POINTER, POINTER);
  private static final Call IDLE_STOP = Call.critical("uv_idle_stop", INT, POINTER);
  private static final Call IS_ACTIVE = Call.critical("uv_is_active", INT, POINTER);
  private static final Call IS_CLOSING = Call.critical("uv_is_closing", INT, POINTER);
  private static final Call IS_READABLE = Call.critical("uv_is_readable", INT, POINTER);
  private static final Call IS_WRITABLE = Call.critical("uv_is_writable", INT, POINTER);
  private static final Call LOOP_ALIVE = Call.critical("uv_loop_alive", INT, POINTER);

  private OtherCalls() {}

  /// So that calls can be replaced before their first use.
  public static void bind() {}

  public static int uv_idle_init(long loop, long idle) {
    return (int) IDLE_INIT.call(loop, idle);
  }

  /// The handle is called back once a turn, by any callback that takes a handle alone.
  public static int uv_idle_start(long idle, long cb) {
    return (int) IDLE_START.call(idle, cb);
  }

  public static int uv_idle_stop(long idle) {
    return (int) IDLE_STOP.call(idle);
  }

  public static int uv_is_active(long handle) {
    return (int) IS_ACTIVE.call(handle);
  }

  /// To be asked only between init and the close callback.
  public static int uv_is_closing(long handle) {
    return (int) IS_CLOSING.call(handle);
  }

  public static int uv_is_readable(long stream) {
    return (int) IS_READABLE.call(stream);
  }

  public static int uv_is_writable(long stream) {
    return (int) IS_WRITABLE.call(stream);
  }

  public static int uv_loop_alive(long loop) {
    return (int) LOOP_ALIVE.call(loop);
  }
}
