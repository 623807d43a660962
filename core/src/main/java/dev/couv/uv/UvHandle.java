// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.SIZE_T;
import static dev.couv.uv.Call.VOID;

/// What all handles have in common: `uv_handle_t`, allocated by [#uv_handle_size].
///
/// The memory of a handle is libuv's from its init to its close callback.
public final class UvHandle {
  public static final int UV_UNKNOWN_HANDLE = 0;
  public static final int UV_ASYNC = 1;
  public static final int UV_FS_POLL = 4;
  public static final int UV_IDLE = 6;
  public static final int UV_NAMED_PIPE = 7;
  public static final int UV_POLL = 8;
  public static final int UV_PROCESS = 10;
  public static final int UV_STREAM = 11;
  public static final int UV_TCP = 12;
  public static final int UV_TIMER = 13;
  public static final int UV_TTY = 14;
  public static final int UV_UDP = 15;
  public static final int UV_SIGNAL = 16;

  private static final Call SIZE = Call.critical("uv_handle_size", SIZE_T, INT);
  private static final Call CLOSE = Call.of("uv_close", VOID, POINTER, POINTER);
  // Reads a field.
  private static final Call GET_TYPE = Call.critical("uv_handle_get_type", INT, POINTER);
  private static final Call FILENO = Call.of("uv_fileno", INT, POINTER, POINTER);
  private static final Call SEND_BUFFER_SIZE =
      Call.of("uv_send_buffer_size", INT, POINTER, POINTER);
  private static final Call RECV_BUFFER_SIZE =
      Call.of("uv_recv_buffer_size", INT, POINTER, POINTER);

  private UvHandle() {}

  /// -1 for an unknown type.
  public static long uv_handle_size(int type) {
    return SIZE.call(type);
  }

  /// The callback comes from a later turn of the loop. Closing twice ends the process.
  public static void uv_close(long handle, long cb) {
    CLOSE.call(handle, cb);
  }

  public static int uv_handle_get_type(long handle) {
    return (int) GET_TYPE.call(handle);
  }

  /// `fd` is an `int` on Unix and a pointer on Windows.
  public static int uv_fileno(long handle, long fd) {
    return (int) FILENO.call(handle, fd);
  }

  /// `value` is an `int`, in and out: 0 asks, anything else sets.
  public static int uv_send_buffer_size(long handle, long value) {
    return (int) SEND_BUFFER_SIZE.call(handle, value);
  }

  /// As [#uv_send_buffer_size].
  public static int uv_recv_buffer_size(long handle, long value) {
    return (int) RECV_BUFFER_SIZE.call(handle, value);
  }
}
