// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static dev.couv.uv.Binder.SIZE_T;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Loops: `uv_loop_t`, allocated by [#uv_loop_size].
public final class UvLoop {
  public static final int UV_RUN_DEFAULT = 0;
  public static final int UV_RUN_ONCE = 1;
  public static final int UV_RUN_NOWAIT = 2;

  private static final MethodHandle SIZE =
      Binder.bindCritical("uv_loop_size", FunctionDescriptor.of(SIZE_T));
  private static final MethodHandle INIT =
      Binder.bind("uv_loop_init", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle CLOSE =
      Binder.bind("uv_loop_close", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle RUN =
      Binder.bind("uv_run", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT));
  // Sets a flag.
  private static final MethodHandle STOP =
      Binder.bindCritical("uv_stop", FunctionDescriptor.ofVoid(POINTER));
  // Compares counters.
  private static final MethodHandle ALIVE =
      Binder.bindCritical("uv_loop_alive", FunctionDescriptor.of(JAVA_INT, POINTER));
  // Reads a field.
  private static final MethodHandle NOW =
      Binder.bindCritical("uv_now", FunctionDescriptor.of(JAVA_LONG, POINTER));

  private static final MethodHandle SLEEP =
      Binder.bind("uv_sleep", FunctionDescriptor.ofVoid(JAVA_INT));

  private UvLoop() {}

  public static long uv_loop_size() {
    try {
      return (long) SIZE.invokeExact();
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_loop_init(long loop) {
    try {
      return (int) INIT.invokeExact(loop);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// `UV_EBUSY` while a request is active or a handle not fully closed.
  public static int uv_loop_close(long loop) {
    try {
      return (int) CLOSE.invokeExact(loop);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Not 0 if something is still alive: no error code. Calls back, and must not be called from a
  /// callback.
  public static int uv_run(long loop, int mode) {
    try {
      return (int) RUN.invokeExact(loop, mode);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// From callbacks only: called outside [#uv_run] it makes the next one return without polling.
  public static void uv_stop(long loop) {
    try {
      STOP.invokeExact(loop);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_loop_alive(long loop) {
    try {
      return (int) ALIVE.invokeExact(loop);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Milliseconds, cached: the time of the last [#uv_update_time] or turn of the loop.
  public static long uv_now(long loop) {
    try {
      return (long) NOW.invokeExact(loop);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Blocks the calling thread for so many milliseconds. With 0 it still gives up the processor. Any thread.
  public static void uv_sleep(int msec) {
    try {
      SLEEP.invokeExact(msec);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
