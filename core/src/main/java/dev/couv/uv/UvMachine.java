// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// What libuv says about the machine and this process. Any thread.
public final class UvMachine {
  private static final MethodHandle CPU_INFO =
      Binder.bind("uv_cpu_info", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle FREE_CPU_INFO =
      Binder.bind("uv_free_cpu_info", FunctionDescriptor.ofVoid(POINTER, JAVA_INT));
  private static final MethodHandle INTERFACE_ADDRESSES =
      Binder.bind("uv_interface_addresses", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle FREE_INTERFACE_ADDRESSES =
      Binder.bind("uv_free_interface_addresses", FunctionDescriptor.ofVoid(POINTER, JAVA_INT));
  private static final MethodHandle GET_TOTAL_MEMORY =
      Binder.bind("uv_get_total_memory", FunctionDescriptor.of(JAVA_LONG));
  private static final MethodHandle GET_FREE_MEMORY =
      Binder.bind("uv_get_free_memory", FunctionDescriptor.of(JAVA_LONG));
  private static final MethodHandle GET_CONSTRAINED_MEMORY =
      Binder.bind("uv_get_constrained_memory", FunctionDescriptor.of(JAVA_LONG));
  private static final MethodHandle RESIDENT_SET_MEMORY =
      Binder.bind("uv_resident_set_memory", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle LOADAVG =
      Binder.bind("uv_loadavg", FunctionDescriptor.ofVoid(POINTER));
  private static final MethodHandle UPTIME =
      Binder.bind("uv_uptime", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle GETRUSAGE =
      Binder.bind("uv_getrusage", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle GETHOSTNAME =
      Binder.bind("uv_os_gethostname", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle UNAME =
      Binder.bind("uv_os_uname", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle GET_PASSWD =
      Binder.bind("uv_os_get_passwd", FunctionDescriptor.of(JAVA_INT, POINTER));
  private static final MethodHandle FREE_PASSWD =
      Binder.bind("uv_os_free_passwd", FunctionDescriptor.ofVoid(POINTER));
  private static final MethodHandle EXEPATH =
      Binder.bind("uv_exepath", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle TMPDIR =
      Binder.bind("uv_os_tmpdir", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle HOMEDIR =
      Binder.bind("uv_os_homedir", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle GETPPID =
      Binder.bind("uv_os_getppid", FunctionDescriptor.of(JAVA_INT));

  private UvMachine() {}

  /// Writes an array to `*cpu_infos` and its length, an `int`, to `count`; to be freed by the next.
  public static int uv_cpu_info(long cpu_infos, long count) {
    try {
      return (int) CPU_INFO.invokeExact(cpu_infos, count);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static void uv_free_cpu_info(long cpu_infos, int count) {
    try {
      FREE_CPU_INFO.invokeExact(cpu_infos, count);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Writes an array to `*addresses` and its length, an `int`, to `count`; to be freed by the next.
  public static int uv_interface_addresses(long addresses, long count) {
    try {
      return (int) INTERFACE_ADDRESSES.invokeExact(addresses, count);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static void uv_free_interface_addresses(long addresses, int count) {
    try {
      FREE_INTERFACE_ADDRESSES.invokeExact(addresses, count);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static long uv_get_total_memory() {
    try {
      return (long) GET_TOTAL_MEMORY.invokeExact();
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static long uv_get_free_memory() {
    try {
      return (long) GET_FREE_MEMORY.invokeExact();
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// 0 if no limit is known; a very large number also means none.
  public static long uv_get_constrained_memory() {
    try {
      return (long) GET_CONSTRAINED_MEMORY.invokeExact();
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_resident_set_memory(long rss) {
    try {
      return (int) RESIDENT_SET_MEMORY.invokeExact(rss);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Writes three `double`.
  public static void uv_loadavg(long avg) {
    try {
      LOADAVG.invokeExact(avg);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Writes a `double`, in seconds.
  public static int uv_uptime(long uptime) {
    try {
      return (int) UPTIME.invokeExact(uptime);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_getrusage(long rusage) {
    try {
      return (int) GETRUSAGE.invokeExact(rusage);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_os_gethostname(long buffer, long size) {
    try {
      return (int) GETHOSTNAME.invokeExact(buffer, size);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_os_uname(long buffer) {
    try {
      return (int) UNAME.invokeExact(buffer);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// To be freed by the next.
  public static int uv_os_get_passwd(long pwd) {
    try {
      return (int) GET_PASSWD.invokeExact(pwd);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static void uv_os_free_passwd(long pwd) {
    try {
      FREE_PASSWD.invokeExact(pwd);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_exepath(long buffer, long size) {
    try {
      return (int) EXEPATH.invokeExact(buffer, size);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_os_tmpdir(long buffer, long size) {
    try {
      return (int) TMPDIR.invokeExact(buffer, size);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_os_homedir(long buffer, long size) {
    try {
      return (int) HOMEDIR.invokeExact(buffer, size);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_os_getppid() {
    try {
      return (int) GETPPID.invokeExact();
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
