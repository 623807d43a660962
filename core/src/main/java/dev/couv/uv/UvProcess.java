// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Child processes: `uv_process_t`, and signals to any process.
public final class UvProcess {
  private static final MethodHandle KILL =
      NativeCalls.bind("uv_kill", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

  private UvProcess() {}

  /// Any thread.
  public static int uv_kill(int pid, int signum) {
    try {
      return (int) KILL.invokeExact(pid, signum);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
