// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.SIZE_T;

import java.util.HashMap;
import java.util.Map;

/// libuv's error codes, all negative, and their names and messages. Any thread.
///
/// Most codes are the system's own numbers and differ between platforms, so the library is asked
/// for them, once, by way of their names.
public final class UvErrors {
  // Not critical: they may ask the system for a message.
  private static final Call STRERROR_R = Call.of("uv_strerror_r", POINTER, INT, POINTER, SIZE_T);
  private static final Call ERR_NAME_R = Call.of("uv_err_name_r", POINTER, INT, POINTER, SIZE_T);
  // A switch over numbers.
  private static final Call TRANSLATE_SYS_ERROR = Call.critical("uv_translate_sys_error", INT, INT);

  /// libuv's longest message has some 60 bytes; a longer one would be cut, not overrun.
  private static final int TEXT_SIZE = 256;

  private static final Map<String, Integer> CODES = Native.available() ? scan() : Map.of();

  public static final int UV_EADDRINUSE = code("EADDRINUSE");
  public static final int UV_EAGAIN = code("EAGAIN");
  public static final int UV_ECANCELED = code("ECANCELED");
  public static final int UV_ECONNREFUSED = code("ECONNREFUSED");
  public static final int UV_ECONNRESET = code("ECONNRESET");
  public static final int UV_EINTR = code("EINTR");
  public static final int UV_EINVAL = code("EINVAL");
  public static final int UV_EMFILE = code("EMFILE");
  public static final int UV_ENFILE = code("ENFILE");
  public static final int UV_ENOBUFS = code("ENOBUFS");
  public static final int UV_ENOMEM = code("ENOMEM");
  public static final int UV_ENOTSOCK = code("ENOTSOCK");
  public static final int UV_ETIMEDOUT = code("ETIMEDOUT");
  public static final int UV_EOF = code("EOF");

  private UvErrors() {}

  /// The code for an `errno` of the system, or on Windows for what `GetLastError` gave.
  public static int uv_translate_sys_error(int sys_errno) {
    return (int) TRANSLATE_SYS_ERROR.call(sys_errno);
  }

  /// The code of a name such as `ECONNREFUSED`; 0, which is no error, if this libuv has none.
  public static int code(String name) {
    return CODES.getOrDefault(name, 0);
  }

  /// The name of a code; libuv has words for unknown ones too.
  public static String name(int code) {
    return text(ERR_NAME_R, code);
  }

  /// What a code means, in libuv's words, such as `connection refused`.
  public static String message(int code) {
    return text(STRERROR_R, code);
  }

  private static String text(Call function, int code) {
    long buf = Memory.malloc(TEXT_SIZE);
    if (buf == 0) {
      throw new OutOfMemoryError("native memory");
    }
    try {
      return Memory.getString(function.call(code, buf, TEXT_SIZE));
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
