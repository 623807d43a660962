// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.SIZE_T;

/// What TCP, pipes and terminals have in common: `uv_stream_t`.
public final class UvStream {
  private static final Call LISTEN = Call.of("uv_listen", INT, POINTER, INT, POINTER);
  private static final Call ACCEPT = Call.of("uv_accept", INT, POINTER, POINTER);
  private static final Call READ_START = Call.of("uv_read_start", INT, POINTER, POINTER, POINTER);
  private static final Call READ_STOP = Call.of("uv_read_stop", INT, POINTER);
  private static final Call WRITE =
      Call.of("uv_write", INT, POINTER, POINTER, POINTER, INT, POINTER);
  private static final Call WRITE2 =
      Call.of("uv_write2", INT, POINTER, POINTER, POINTER, INT, POINTER, POINTER);
  private static final Call TRY_WRITE = Call.of("uv_try_write", INT, POINTER, POINTER, INT);
  private static final Call TRY_WRITE2 =
      Call.of("uv_try_write2", INT, POINTER, POINTER, INT, POINTER);
  private static final Call SHUTDOWN = Call.of("uv_shutdown", INT, POINTER, POINTER, POINTER);
  // Reads a field.
  private static final Call GET_WRITE_QUEUE_SIZE =
      Call.critical("uv_stream_get_write_queue_size", SIZE_T, POINTER);

  private static final Call SET_BLOCKING = Call.of("uv_stream_set_blocking", INT, POINTER, INT);

  private UvStream() {}

  public static int uv_stream_set_blocking(long handle, int blocking) {
    return (int) SET_BLOCKING.call(handle, blocking);
  }

  public static int uv_listen(long stream, int backlog, long cb) {
    return (int) LISTEN.call(stream, backlog, cb);
  }

  /// One per connection callback.
  public static int uv_accept(long server, long client) {
    return (int) ACCEPT.call(server, client);
  }

  public static int uv_read_start(long stream, long alloc_cb, long read_cb) {
    return (int) READ_START.call(stream, alloc_cb, read_cb);
  }

  public static int uv_read_stop(long stream) {
    return (int) READ_STOP.call(stream);
  }

  /// The array `bufs` is copied; the bytes it points to are libuv's until the callback.
  public static int uv_write(long req, long stream, long bufs, int nbufs, long cb) {
    return (int) WRITE.call(req, stream, bufs, nbufs, cb);
  }

  /// Likewise, and passes `send_handle` to the other end, where a copy of it arrives with the first
  /// byte; it must stay open until the callback. Only on a pipe made for that, and with at least one
  /// byte.
  public static int uv_write2(
      long req, long handle, long bufs, int nbufs, long send_handle, long cb) {
    return (int) WRITE2.call(req, handle, bufs, nbufs, send_handle, cb);
  }

  /// Bytes written, possibly fewer than asked; `UV_EAGAIN` if none could be.
  public static int uv_try_write(long stream, long bufs, int nbufs) {
    return (int) TRY_WRITE.call(stream, bufs, nbufs);
  }

  /// As [#uv_try_write], and passes `send_handle`, which must be open and have a socket: that is not
  /// checked.
  public static int uv_try_write2(long stream, long bufs, int nbufs, long send_handle) {
    return (int) TRY_WRITE2.call(stream, bufs, nbufs, send_handle);
  }

  public static int uv_shutdown(long req, long stream, long cb) {
    return (int) SHUTDOWN.call(req, stream, cb);
  }

  /// Bytes queued and not yet written.
  public static long uv_stream_get_write_queue_size(long stream) {
    return GET_WRITE_QUEUE_SIZE.call(stream);
  }
}
