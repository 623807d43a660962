// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// A path whose facts are asked for again and again: `uv_fs_poll_t`. Closing it stops it; the
/// close callback waits for the question that is on its way.
public final class UvFsPoll {
  private static final MethodHandle INIT =
      Binder.bind("uv_fs_poll_init", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle START =
      Binder.bind(
          "uv_fs_poll_start", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, JAVA_INT));

  private UvFsPoll() {}

  public static int uv_fs_poll_init(long loop, long handle) {
    try {
      return (int) INIT.invokeExact(loop, handle);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Copies the path. The interval is in milliseconds. The first answer is only what later ones are
  /// compared with; a failure is told once.
  public static int uv_fs_poll_start(long handle, long poll_cb, long path, int interval) {
    try {
      return (int) START.invokeExact(handle, poll_cb, path, interval);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
