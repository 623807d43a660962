// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.LONG;
import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.SIZE_T;
import static dev.couv.uv.Call.VOID;

/// What libuv says about the machine and this process. Any thread.
public final class UvMachine {
  private static final Call CPU_INFO = Call.of("uv_cpu_info", INT, POINTER, POINTER);
  private static final Call FREE_CPU_INFO = Call.of("uv_free_cpu_info", VOID, POINTER, INT);
  private static final Call INTERFACE_ADDRESSES =
      Call.of("uv_interface_addresses", INT, POINTER, POINTER);
  private static final Call FREE_INTERFACE_ADDRESSES =
      Call.of("uv_free_interface_addresses", VOID, POINTER, INT);
  private static final Call GET_TOTAL_MEMORY = Call.of("uv_get_total_memory", LONG);
  private static final Call GET_FREE_MEMORY = Call.of("uv_get_free_memory", LONG);
  private static final Call GET_CONSTRAINED_MEMORY = Call.of("uv_get_constrained_memory", LONG);
  private static final Call RESIDENT_SET_MEMORY = Call.of("uv_resident_set_memory", INT, POINTER);
  private static final Call LOADAVG = Call.of("uv_loadavg", VOID, POINTER);
  private static final Call UPTIME = Call.of("uv_uptime", INT, POINTER);
  private static final Call GETRUSAGE = Call.of("uv_getrusage", INT, POINTER);
  private static final Call GETHOSTNAME = Call.of("uv_os_gethostname", INT, POINTER, POINTER);
  private static final Call UNAME = Call.of("uv_os_uname", INT, POINTER);
  private static final Call GET_PASSWD = Call.of("uv_os_get_passwd", INT, POINTER);
  private static final Call FREE_PASSWD = Call.of("uv_os_free_passwd", VOID, POINTER);
  private static final Call EXEPATH = Call.of("uv_exepath", INT, POINTER, POINTER);
  private static final Call TMPDIR = Call.of("uv_os_tmpdir", INT, POINTER, POINTER);
  private static final Call HOMEDIR = Call.of("uv_os_homedir", INT, POINTER, POINTER);
  private static final Call GETPPID = Call.of("uv_os_getppid", INT);

  private static final Call AVAILABLE_PARALLELISM = Call.of("uv_available_parallelism", INT);
  private static final Call HRTIME = Call.of("uv_hrtime", LONG);
  private static final Call RANDOM =
      Call.of("uv_random", INT, POINTER, POINTER, POINTER, SIZE_T, INT, POINTER);

  private UvMachine() {}

  /// Writes an array to `*cpu_infos` and its length, an `int`, to `count`; to be freed by the next.
  public static int uv_cpu_info(long cpu_infos, long count) {
    return (int) CPU_INFO.call(cpu_infos, count);
  }

  public static void uv_free_cpu_info(long cpu_infos, int count) {
    FREE_CPU_INFO.call(cpu_infos, count);
  }

  /// Writes an array to `*addresses` and its length, an `int`, to `count`; to be freed by the next.
  public static int uv_interface_addresses(long addresses, long count) {
    return (int) INTERFACE_ADDRESSES.call(addresses, count);
  }

  public static void uv_free_interface_addresses(long addresses, int count) {
    FREE_INTERFACE_ADDRESSES.call(addresses, count);
  }

  public static long uv_get_total_memory() {
    return GET_TOTAL_MEMORY.call();
  }

  public static long uv_get_free_memory() {
    return GET_FREE_MEMORY.call();
  }

  /// 0 if no limit is known; a very large number also means none.
  public static long uv_get_constrained_memory() {
    return GET_CONSTRAINED_MEMORY.call();
  }

  public static int uv_resident_set_memory(long rss) {
    return (int) RESIDENT_SET_MEMORY.call(rss);
  }

  /// Writes three `double`.
  public static void uv_loadavg(long avg) {
    LOADAVG.call(avg);
  }

  /// Writes a `double`, in seconds.
  public static int uv_uptime(long uptime) {
    return (int) UPTIME.call(uptime);
  }

  public static int uv_getrusage(long rusage) {
    return (int) GETRUSAGE.call(rusage);
  }

  public static int uv_os_gethostname(long buffer, long size) {
    return (int) GETHOSTNAME.call(buffer, size);
  }

  public static int uv_os_uname(long buffer) {
    return (int) UNAME.call(buffer);
  }

  /// To be freed by the next.
  public static int uv_os_get_passwd(long pwd) {
    return (int) GET_PASSWD.call(pwd);
  }

  public static void uv_os_free_passwd(long pwd) {
    FREE_PASSWD.call(pwd);
  }

  public static int uv_exepath(long buffer, long size) {
    return (int) EXEPATH.call(buffer, size);
  }

  public static int uv_os_tmpdir(long buffer, long size) {
    return (int) TMPDIR.call(buffer, size);
  }

  public static int uv_os_homedir(long buffer, long size) {
    return (int) HOMEDIR.call(buffer, size);
  }

  public static int uv_os_getppid() {
    return (int) GETPPID.call();
  }

  public static int uv_available_parallelism() {
    return (int) AVAILABLE_PARALLELISM.call();
  }

  /// Nanoseconds of a clock that only goes forward.
  public static long uv_hrtime() {
    return HRTIME.call();
  }

  /// Random bytes from the system, on libuv's thread pool. `buf` is libuv's until the callback. `flags` is 0.
  public static int uv_random(long loop, long req, long buf, long buflen, int flags, long cb) {
    return (int) RANDOM.call(loop, req, buf, buflen, flags, cb);
  }
}
