// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Timers: `uv_timer_t`.
public final class UvTimer {
  // All three are critical: they move entries of a heap in memory.
  private static final MethodHandle INIT =
      Binder.bindCritical("uv_timer_init", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle START =
      Binder.bindCritical(
          "uv_timer_start",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle STOP =
      Binder.bindCritical("uv_timer_stop", FunctionDescriptor.of(JAVA_INT, POINTER));

  private UvTimer() {}

  public static int uv_timer_init(long loop, long timer) {
    try {
      return (int) INIT.invokeExact(loop, timer);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Milliseconds, counted from the cached time of the loop ([UvLoop#uv_now]).
  public static int uv_timer_start(long timer, long cb, long timeout, long repeat) {
    try {
      return (int) START.invokeExact(timer, cb, timeout, repeat);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_timer_stop(long timer) {
    try {
      return (int) STOP.invokeExact(timer);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
