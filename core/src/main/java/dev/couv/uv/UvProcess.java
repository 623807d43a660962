// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

/// Child processes: `uv_process_t`, and signals to any process.
public final class UvProcess {
  public static final int UV_PROCESS_SETUID = 1;
  public static final int UV_PROCESS_SETGID = 2;
  public static final int UV_PROCESS_DETACHED = 8;

  public static final int UV_INHERIT_FD = 2;

  private static final Call SPAWN = Call.of("uv_spawn", INT, POINTER, POINTER, POINTER);
  // Reads a field.
  private static final Call GET_PID = Call.critical("uv_process_get_pid", INT, POINTER);
  private static final Call KILL = Call.of("uv_kill", INT, INT, INT);

  private UvProcess() {}

  /// The handle must be closed, whatever this answers. `options` is a
  /// [SystemLayouts#UV_PROCESS_OPTIONS_T], and the caller's again afterwards. The child gets every
  /// descriptor that is not marked to be closed.
  public static int uv_spawn(long loop, long handle, long options) {
    return (int) SPAWN.call(loop, handle, options);
  }

  public static int uv_process_get_pid(long handle) {
    return (int) GET_PID.call(handle);
  }

  /// A negative process id means a whole group. Any thread.
  public static int uv_kill(int pid, int signum) {
    return (int) KILL.call(pid, signum);
  }
}
