// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Idle handles: `uv_idle_t`. An active one is called once a turn and keeps the poll from blocking.
public final class UvIdle {
  // All three are critical: they move entries of a queue in memory.
  private static final MethodHandle INIT =
      Binder.bindCritical("uv_idle_init", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle START =
      Binder.bindCritical("uv_idle_start", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle STOP =
      Binder.bindCritical("uv_idle_stop", FunctionDescriptor.of(JAVA_INT, POINTER));

  private UvIdle() {}

  public static int uv_idle_init(long loop, long idle) {
    try {
      return (int) INIT.invokeExact(loop, idle);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_idle_start(long idle, long cb) {
    try {
      return (int) START.invokeExact(idle, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_idle_stop(long idle) {
    try {
      return (int) STOP.invokeExact(idle);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
