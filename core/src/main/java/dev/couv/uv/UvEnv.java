// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.VOID;

/// The environment of the process, as native code sees it, its directory and its priority. Not thread safe.
public final class UvEnv {
  private static final Call GETENV = Call.of("uv_os_getenv", INT, POINTER, POINTER, POINTER);
  private static final Call SETENV = Call.of("uv_os_setenv", INT, POINTER, POINTER);
  private static final Call UNSETENV = Call.of("uv_os_unsetenv", INT, POINTER);
  private static final Call ENVIRON = Call.of("uv_os_environ", INT, POINTER, POINTER);
  private static final Call FREE_ENVIRON = Call.of("uv_os_free_environ", VOID, POINTER, INT);
  private static final Call CWD = Call.of("uv_cwd", INT, POINTER, POINTER);
  private static final Call CHDIR = Call.of("uv_chdir", INT, POINTER);
  private static final Call GETPRIORITY = Call.of("uv_os_getpriority", INT, INT, POINTER);
  private static final Call SETPRIORITY = Call.of("uv_os_setpriority", INT, INT, INT);

  private UvEnv() {}

  /// `size` is the room, and then the length; with `UV_ENOBUFS` the room that is needed.
  public static int uv_os_getenv(long name, long buffer, long size) {
    return (int) GETENV.call(name, buffer, size);
  }

  /// Both are C strings. Java's own view of the environment does not change.
  public static int uv_os_setenv(long name, long value) {
    return (int) SETENV.call(name, value);
  }

  public static int uv_os_unsetenv(long name) {
    return (int) UNSETENV.call(name);
  }

  /// Writes an array to `*envitems` and its length, an `int`, to `count`; to be freed by the next.
  public static int uv_os_environ(long envitems, long count) {
    return (int) ENVIRON.call(envitems, count);
  }

  public static void uv_os_free_environ(long envitems, int count) {
    FREE_ENVIRON.call(envitems, count);
  }

  public static int uv_cwd(long buffer, long size) {
    return (int) CWD.call(buffer, size);
  }

  public static int uv_chdir(long dir) {
    return (int) CHDIR.call(dir);
  }

  /// 0 is this process.
  public static int uv_os_getpriority(int pid, long priority) {
    return (int) GETPRIORITY.call(pid, priority);
  }

  public static int uv_os_setpriority(int pid, int priority) {
    return (int) SETPRIORITY.call(pid, priority);
  }
}
