// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static dev.couv.uv.Binder.SIZE_T;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// What TCP, pipes and terminals have in common: `uv_stream_t`.
public final class UvStream {
  private static final MethodHandle LISTEN =
      Binder.bind("uv_listen", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT, POINTER));
  private static final MethodHandle ACCEPT =
      Binder.bind("uv_accept", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle READ_START =
      Binder.bind("uv_read_start", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER));
  private static final MethodHandle READ_STOP =
      Binder.bind("uv_read_stop", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle WRITE =
      Binder.bind(
          "uv_write",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, JAVA_INT, POINTER));
  private static final MethodHandle WRITE2 =
      Binder.bind(
          "uv_write2",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, JAVA_INT, POINTER, POINTER));
  private static final MethodHandle TRY_WRITE =
      Binder.bind("uv_try_write", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT));
  private static final MethodHandle TRY_WRITE2 =
      Binder.bind(
          "uv_try_write2", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT, POINTER));
  private static final MethodHandle SHUTDOWN =
      Binder.bind("uv_shutdown", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER));
  // Reads a flag, as the next.
  private static final MethodHandle IS_READABLE =
      Binder.bindCritical("uv_is_readable", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle IS_WRITABLE =
      Binder.bindCritical("uv_is_writable", FunctionDescriptor.of(JAVA_INT, POINTER));
  // Reads a field.
  private static final MethodHandle GET_WRITE_QUEUE_SIZE =
      Binder.bindCritical("uv_stream_get_write_queue_size", FunctionDescriptor.of(SIZE_T, POINTER));

  private static final MethodHandle SET_BLOCKING =
      Binder.bind("uv_stream_set_blocking", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT));

  private UvStream() {}

  public static int uv_stream_set_blocking(long handle, int blocking) {
    try {
      return (int) SET_BLOCKING.invokeExact(handle, blocking);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_listen(long stream, int backlog, long cb) {
    try {
      return (int) LISTEN.invokeExact(stream, backlog, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// One per connection callback.
  public static int uv_accept(long server, long client) {
    try {
      return (int) ACCEPT.invokeExact(server, client);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_read_start(long stream, long alloc_cb, long read_cb) {
    try {
      return (int) READ_START.invokeExact(stream, alloc_cb, read_cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_read_stop(long stream) {
    try {
      return (int) READ_STOP.invokeExact(stream);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The array `bufs` is copied; the bytes it points to are libuv's until the callback.
  public static int uv_write(long req, long stream, long bufs, int nbufs, long cb) {
    try {
      return (int) WRITE.invokeExact(req, stream, bufs, nbufs, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Likewise, and passes `send_handle` to the other end, where a copy of it arrives with the first
  /// byte; it must stay open until the callback. Only on a pipe made for that, and with at least one
  /// byte.
  public static int uv_write2(
      long req, long handle, long bufs, int nbufs, long send_handle, long cb) {
    try {
      return (int) WRITE2.invokeExact(req, handle, bufs, nbufs, send_handle, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Bytes written, possibly fewer than asked; `UV_EAGAIN` if none could be.
  public static int uv_try_write(long stream, long bufs, int nbufs) {
    try {
      return (int) TRY_WRITE.invokeExact(stream, bufs, nbufs);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// As [#uv_try_write], and passes `send_handle`, which must be open and have a socket: that is not
  /// checked.
  public static int uv_try_write2(long stream, long bufs, int nbufs, long send_handle) {
    try {
      return (int) TRY_WRITE2.invokeExact(stream, bufs, nbufs, send_handle);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_shutdown(long req, long stream, long cb) {
    try {
      return (int) SHUTDOWN.invokeExact(req, stream, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_is_readable(long stream) {
    try {
      return (int) IS_READABLE.invokeExact(stream);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_is_writable(long stream) {
    try {
      return (int) IS_WRITABLE.invokeExact(stream);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Bytes queued and not yet written.
  public static long uv_stream_get_write_queue_size(long stream) {
    try {
      return (long) GET_WRITE_QUEUE_SIZE.invokeExact(stream);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
