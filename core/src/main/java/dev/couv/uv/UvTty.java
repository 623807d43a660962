// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

/// Terminals: `uv_tty_t`, and what a descriptor is.
public final class UvTty {
  public static final int UV_TTY_MODE_NORMAL = 0;
  public static final int UV_TTY_MODE_RAW = 1;
  public static final int UV_TTY_MODE_IO = 2;

  private static final Call INIT = Call.of("uv_tty_init", INT, POINTER, POINTER, INT, INT);
  private static final Call SET_MODE = Call.of("uv_tty_set_mode", INT, POINTER, INT);
  private static final Call GET_WINSIZE =
      Call.of("uv_tty_get_winsize", INT, POINTER, POINTER, POINTER);
  private static final Call GUESS_HANDLE = Call.of("uv_guess_handle", INT, INT);

  private UvTty() {}

  /// Opens the terminal behind the descriptor anew, for the handle, and puts that open file under the
  /// descriptor, too, which stays the caller's. Where it cannot be opened anew the handle has the
  /// descriptor itself, and writes block. `readable` is not used.
  public static int uv_tty_init(long loop, long tty, int fd, int readable) {
    return (int) INIT.call(loop, tty, fd, readable);
  }

  /// Waits until what was written is out. The first handle in the process that leaves the normal mode is the one
  /// that `uv_tty_reset_mode` means.
  public static int uv_tty_set_mode(long tty, int mode) {
    return (int) SET_MODE.call(tty, mode);
  }

  /// The address of `uv_tty_reset_mode`, which may be called in a signal handler, and takes nothing.
  public static long resetMode() {
    return Native.symbol("uv_tty_reset_mode").address();
  }

  /// `width` and `height` are an `int` each.
  public static int uv_tty_get_winsize(long tty, long width, long height) {
    return (int) GET_WINSIZE.call(tty, width, height);
  }

  /// The type of handle that the descriptor is for, [UvHandle#UV_UNKNOWN_HANDLE] if for none.
  public static int uv_guess_handle(int fd) {
    return (int) GUESS_HANDLE.call(fd);
  }
}
