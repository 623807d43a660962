// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// What libuv says about itself and the machine. Any thread.
public final class UvInfo {
  private static final MethodHandle HRTIME =
      Binder.bind("uv_hrtime", FunctionDescriptor.of(JAVA_LONG));
  // Returns a constant.
  private static final MethodHandle VERSION =
      Binder.bindCritical("uv_version", FunctionDescriptor.of(JAVA_INT));
  private static final MethodHandle AVAILABLE_PARALLELISM =
      Binder.bind("uv_available_parallelism", FunctionDescriptor.of(JAVA_INT));

  private UvInfo() {}

  /// Nanoseconds of a clock that only goes forward.
  public static long uv_hrtime() {
    try {
      return (long) HRTIME.invokeExact();
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// 1.44.2 is `0x012c02`.
  public static int uv_version() {
    try {
      return (int) VERSION.invokeExact();
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_available_parallelism() {
    try {
      return (int) AVAILABLE_PARALLELISM.invokeExact();
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
