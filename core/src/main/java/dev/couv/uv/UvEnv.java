// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// The environment of the process, as native code sees it, its directory and its priority. Not thread safe.
public final class UvEnv {
  private static final MethodHandle GETENV =
      Binder.bind("uv_os_getenv", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER));
  private static final MethodHandle SETENV =
      Binder.bind("uv_os_setenv", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle UNSETENV =
      Binder.bind("uv_os_unsetenv", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle ENVIRON =
      Binder.bind("uv_os_environ", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle FREE_ENVIRON =
      Binder.bind("uv_os_free_environ", FunctionDescriptor.ofVoid(POINTER, JAVA_INT));
  private static final MethodHandle CWD =
      Binder.bind("uv_cwd", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle CHDIR =
      Binder.bind("uv_chdir", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle GETPRIORITY =
      Binder.bind("uv_os_getpriority", FunctionDescriptor.of(JAVA_INT, JAVA_INT, POINTER));
  private static final MethodHandle SETPRIORITY =
      Binder.bind("uv_os_setpriority", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

  private UvEnv() {}

  /// `size` is the room, and then the length; with `UV_ENOBUFS` the room that is needed.
  public static int uv_os_getenv(long name, long buffer, long size) {
    try {
      return (int) GETENV.invokeExact(name, buffer, size);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Both are C strings. Java's own view of the environment does not change.
  public static int uv_os_setenv(long name, long value) {
    try {
      return (int) SETENV.invokeExact(name, value);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_os_unsetenv(long name) {
    try {
      return (int) UNSETENV.invokeExact(name);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Writes an array to `*envitems` and its length, an `int`, to `count`; to be freed by the next.
  public static int uv_os_environ(long envitems, long count) {
    try {
      return (int) ENVIRON.invokeExact(envitems, count);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static void uv_os_free_environ(long envitems, int count) {
    try {
      FREE_ENVIRON.invokeExact(envitems, count);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_cwd(long buffer, long size) {
    try {
      return (int) CWD.invokeExact(buffer, size);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_chdir(long dir) {
    try {
      return (int) CHDIR.invokeExact(dir);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// 0 is this process.
  public static int uv_os_getpriority(int pid, long priority) {
    try {
      return (int) GETPRIORITY.invokeExact(pid, priority);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_os_setpriority(int pid, int priority) {
    try {
      return (int) SETPRIORITY.invokeExact(pid, priority);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
