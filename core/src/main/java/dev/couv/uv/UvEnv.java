// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.NativeCalls.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// The environment of the process, as native code sees it. Not thread safe.
public final class UvEnv {
  private static final MethodHandle SETENV =
      NativeCalls.bind("uv_os_setenv", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));

  private UvEnv() {}

  /// Both are C strings. Java's own view of the environment does not change.
  public static int uv_os_setenv(long name, long value) {
    try {
      return (int) SETENV.invokeExact(name, value);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
