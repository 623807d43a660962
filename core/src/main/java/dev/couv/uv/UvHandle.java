// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static dev.couv.uv.Binder.SIZE_T;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// What all handles have in common: `uv_handle_t`, allocated by [#uv_handle_size].
///
/// The memory of a handle is libuv's from its init to its close callback.
public final class UvHandle {
  public static final int UV_UNKNOWN_HANDLE = 0;
  public static final int UV_ASYNC = 1;
  public static final int UV_CHECK = 2;
  public static final int UV_FS_EVENT = 3;
  public static final int UV_FS_POLL = 4;
  public static final int UV_HANDLE = 5;
  public static final int UV_IDLE = 6;
  public static final int UV_NAMED_PIPE = 7;
  public static final int UV_POLL = 8;
  public static final int UV_PREPARE = 9;
  public static final int UV_PROCESS = 10;
  public static final int UV_STREAM = 11;
  public static final int UV_TCP = 12;
  public static final int UV_TIMER = 13;
  public static final int UV_TTY = 14;
  public static final int UV_UDP = 15;
  public static final int UV_SIGNAL = 16;
  public static final int UV_FILE = 17;

  private static final MethodHandle SIZE =
      Binder.bindCritical("uv_handle_size", FunctionDescriptor.of(SIZE_T, JAVA_INT));
  private static final MethodHandle CLOSE =
      Binder.bind("uv_close", FunctionDescriptor.ofVoid(POINTER, POINTER));
  // Reads a flag, as the next one.
  private static final MethodHandle IS_ACTIVE =
      Binder.bindCritical("uv_is_active", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle IS_CLOSING =
      Binder.bindCritical("uv_is_closing", FunctionDescriptor.of(JAVA_INT, POINTER));
  // Reads a field.
  private static final MethodHandle GET_TYPE =
      Binder.bindCritical("uv_handle_get_type", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle FILENO =
      Binder.bind("uv_fileno", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle SEND_BUFFER_SIZE =
      Binder.bind("uv_send_buffer_size", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle RECV_BUFFER_SIZE =
      Binder.bind("uv_recv_buffer_size", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));

  private UvHandle() {}

  /// -1 for an unknown type.
  public static long uv_handle_size(int type) {
    try {
      return (long) SIZE.invokeExact(type);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The callback comes from a later turn of the loop. Closing twice ends the process.
  public static void uv_close(long handle, long cb) {
    try {
      CLOSE.invokeExact(handle, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_is_active(long handle) {
    try {
      return (int) IS_ACTIVE.invokeExact(handle);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// To be asked only between init and the close callback.
  public static int uv_is_closing(long handle) {
    try {
      return (int) IS_CLOSING.invokeExact(handle);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_handle_get_type(long handle) {
    try {
      return (int) GET_TYPE.invokeExact(handle);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// `fd` is an `int` on Unix and a pointer on Windows.
  public static int uv_fileno(long handle, long fd) {
    try {
      return (int) FILENO.invokeExact(handle, fd);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// `value` is an `int`, in and out: 0 asks, anything else sets.
  public static int uv_send_buffer_size(long handle, long value) {
    try {
      return (int) SEND_BUFFER_SIZE.invokeExact(handle, value);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// As [#uv_send_buffer_size].
  public static int uv_recv_buffer_size(long handle, long value) {
    try {
      return (int) RECV_BUFFER_SIZE.invokeExact(handle, value);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The field `data`, libuv's word for the user. It is the first of every handle, documented as
  /// public, so this is a plain access to memory and not a call, which would be ten times slower.
  public static long uv_handle_get_data(long handle) {
    return Memory.getLong(handle);
  }

  /// As [#uv_handle_get_data].
  public static void uv_handle_set_data(long handle, long data) {
    Memory.putLong(handle, data);
  }
}
