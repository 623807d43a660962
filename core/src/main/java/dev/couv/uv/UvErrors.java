// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static dev.couv.uv.Binder.SIZE_T;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.Map;

/// libuv's error codes, all negative, and their names and messages. Any thread.
///
/// Most codes are the system's own numbers and differ between platforms, so the library is asked
/// for them, once, by way of their names.
public final class UvErrors {
  // Not critical: they may ask the system for a message.
  private static final MethodHandle STRERROR_R =
      Binder.bind("uv_strerror_r", FunctionDescriptor.of(POINTER, JAVA_INT, POINTER, SIZE_T));
  private static final MethodHandle ERR_NAME_R =
      Binder.bind("uv_err_name_r", FunctionDescriptor.of(POINTER, JAVA_INT, POINTER, SIZE_T));
  // A switch over numbers.
  private static final MethodHandle TRANSLATE_SYS_ERROR =
      Binder.bindCritical("uv_translate_sys_error", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  /// libuv's longest message has some 60 bytes; a longer one would be cut, not overrun.
  private static final int TEXT_SIZE = 256;

  private static final Map<String, Integer> CODES = Native.available() ? scan() : Map.of();

  public static final int UV_EADDRINUSE = code("EADDRINUSE");
  public static final int UV_EAGAIN = code("EAGAIN");
  public static final int UV_EAI_CANCELED = code("EAI_CANCELED");
  public static final int UV_EALREADY = code("EALREADY");
  public static final int UV_EBADF = code("EBADF");
  public static final int UV_EBUSY = code("EBUSY");
  public static final int UV_ECANCELED = code("ECANCELED");
  public static final int UV_ECONNABORTED = code("ECONNABORTED");
  public static final int UV_ECONNREFUSED = code("ECONNREFUSED");
  public static final int UV_ECONNRESET = code("ECONNRESET");
  public static final int UV_EINVAL = code("EINVAL");
  public static final int UV_EMFILE = code("EMFILE");
  public static final int UV_ENFILE = code("ENFILE");
  public static final int UV_ENOBUFS = code("ENOBUFS");
  public static final int UV_ENOMEM = code("ENOMEM");
  public static final int UV_ENOTCONN = code("ENOTCONN");
  public static final int UV_ENOTSOCK = code("ENOTSOCK");
  public static final int UV_ENOTTY = code("ENOTTY");
  public static final int UV_EOF = code("EOF");
  public static final int UV_EPIPE = code("EPIPE");
  public static final int UV_ETIMEDOUT = code("ETIMEDOUT");

  private UvErrors() {}

  /// Writes the message for `err` to `buf` and returns `buf`.
  public static long uv_strerror_r(int err, long buf, long buflen) {
    try {
      return (long) STRERROR_R.invokeExact(err, buf, buflen);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Writes the name of `err` to `buf` and returns `buf`.
  public static long uv_err_name_r(int err, long buf, long buflen) {
    try {
      return (long) ERR_NAME_R.invokeExact(err, buf, buflen);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The code for an `errno` of the system, or on Windows for what `GetLastError` gave.
  public static int uv_translate_sys_error(int sys_errno) {
    try {
      return (int) TRANSLATE_SYS_ERROR.invokeExact(sys_errno);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The code of a name such as `ECONNREFUSED`; 0, which is no error, if this libuv has none.
  public static int code(String name) {
    return CODES.getOrDefault(name, 0);
  }

  /// The name of a code; libuv has words for unknown ones too.
  public static String name(int code) {
    long buf = Memory.malloc(TEXT_SIZE);
    if (buf == 0) {
      throw new OutOfMemoryError("native memory");
    }
    try {
      return Memory.getString(uv_err_name_r(code, buf, TEXT_SIZE));
    } finally {
      Memory.free(buf);
    }
  }

  /// What a code means, in libuv's words, such as `connection refused`.
  public static String message(int code) {
    long buf = Memory.malloc(TEXT_SIZE);
    if (buf == 0) {
      throw new OutOfMemoryError("native memory");
    }
    try {
      return Memory.getString(uv_strerror_r(code, buf, TEXT_SIZE));
    } finally {
      Memory.free(buf);
    }
  }

  private static Map<String, Integer> scan() {
    Map<String, Integer> codes = new HashMap<>();
    // The system's own, the lookup's, and libuv's.
    scan(codes, 1, 200);
    scan(codes, 3000, 3014);
    scan(codes, 4000, 4100);
    return Map.copyOf(codes);
  }

  private static void scan(Map<String, Integer> codes, int from, int to) {
    for (int number = from; number <= to; number++) {
      String name = name(-number);
      // A number without a name gets a phrase.
      if (!name.contains(" ")) codes.put(name, -number);
    }
  }
}
