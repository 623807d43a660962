// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Child processes: `uv_process_t`, and signals to any process.
public final class UvProcess {
  public static final int UV_PROCESS_SETUID = 1;
  public static final int UV_PROCESS_SETGID = 2;
  public static final int UV_PROCESS_DETACHED = 8;

  public static final int UV_IGNORE = 0;
  public static final int UV_INHERIT_FD = 2;

  private static final MethodHandle SPAWN =
      Binder.bind("uv_spawn", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER));
  // Reads a field.
  private static final MethodHandle GET_PID =
      Binder.bindCritical("uv_process_get_pid", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle KILL =
      Binder.bind("uv_kill", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

  private UvProcess() {}

  /// The handle must be closed, whatever this answers. `options` is a
  /// [SystemLayouts#UV_PROCESS_OPTIONS_T], and the caller's again afterwards. The child gets every
  /// descriptor that is not marked to be closed.
  public static int uv_spawn(long loop, long handle, long options) {
    try {
      return (int) SPAWN.invokeExact(loop, handle, options);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_process_get_pid(long handle) {
    try {
      return (int) GET_PID.invokeExact(handle);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// A negative process id means a whole group. Any thread.
  public static int uv_kill(int pid, int signum) {
    try {
      return (int) KILL.invokeExact(pid, signum);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
