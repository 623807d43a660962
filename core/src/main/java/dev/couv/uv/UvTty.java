// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Terminals: `uv_tty_t`, and what a descriptor is.
public final class UvTty {
  public static final int UV_TTY_MODE_NORMAL = 0;
  public static final int UV_TTY_MODE_RAW = 1;
  public static final int UV_TTY_MODE_IO = 2;

  private static final MethodHandle INIT =
      Binder.bind(
          "uv_tty_init", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT, JAVA_INT));
  private static final MethodHandle SET_MODE =
      Binder.bind("uv_tty_set_mode", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT));
  private static final MethodHandle RESET_MODE =
      Binder.bind("uv_tty_reset_mode", FunctionDescriptor.of(JAVA_INT));
  private static final MethodHandle GET_WINSIZE =
      Binder.bind("uv_tty_get_winsize", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER));
  private static final MethodHandle GUESS_HANDLE =
      Binder.bind("uv_guess_handle", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private UvTty() {}

  /// Opens the terminal behind the descriptor anew, for the handle, and puts that open file under the
  /// descriptor, too, which stays the caller's. Where it cannot be opened anew the handle has the
  /// descriptor itself, and writes block. `readable` is not used.
  public static int uv_tty_init(long loop, long tty, int fd, int readable) {
    try {
      return (int) INIT.invokeExact(loop, tty, fd, readable);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Waits until what was written is out. The first handle in the process that leaves the normal mode is the one
  /// that [#uv_tty_reset_mode] means.
  public static int uv_tty_set_mode(long tty, int mode) {
    try {
      return (int) SET_MODE.invokeExact(tty, mode);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Any thread. Does nothing if no mode was ever set.
  public static int uv_tty_reset_mode() {
    try {
      return (int) RESET_MODE.invokeExact();
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The address of `uv_tty_reset_mode`, which may be called in a signal handler, and takes nothing.
  public static long resetMode() {
    return Native.symbol("uv_tty_reset_mode").address();
  }

  /// `width` and `height` are an `int` each.
  public static int uv_tty_get_winsize(long tty, long width, long height) {
    try {
      return (int) GET_WINSIZE.invokeExact(tty, width, height);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The type of handle that the descriptor is for, [UvHandle#UV_UNKNOWN_HANDLE] if for none.
  public static int uv_guess_handle(int fd) {
    try {
      return (int) GUESS_HANDLE.invokeExact(fd);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
