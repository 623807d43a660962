// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Struct.bytes;
import static dev.couv.uv.Struct.ints;
import static dev.couv.uv.Struct.longs;
import static dev.couv.uv.Struct.offset;
import static dev.couv.uv.Struct.padding;
import static dev.couv.uv.Struct.pointers;
import static dev.couv.uv.Struct.struct;

import java.lang.foreign.StructLayout;

/// The plain C structs about processes and the machine, as 64-bit Unixes have them. A test compiles
/// `tools/layout-probe.c` and compares all of it.
public final class SystemLayouts {
  static final StructLayout UV_PROCESS_OPTIONS_T =
      struct(
          pointers("exit_cb", "file", "args", "env", "cwd"),
          ints("flags", "stdio_count"),
          pointers("stdio"),
          ints("uid", "gid"));

  static final StructLayout UV_STDIO_CONTAINER_T =
      struct(ints("flags"), padding(4), pointers("data"));

  static final StructLayout UV_CPU_INFO_T =
      struct(
          pointers("model"),
          ints("speed"),
          padding(4),
          longs("cpu_times.user", "cpu_times.nice", "cpu_times.sys"),
          longs("cpu_times.idle", "cpu_times.irq"));

  static final StructLayout UV_INTERFACE_ADDRESS_T =
      struct(
          pointers("name"),
          bytes(6, "phys_addr"),
          padding(2),
          ints("is_internal"),
          bytes(28, "address", "netmask"),
          padding(4));

  static final StructLayout UV_RUSAGE_T =
      struct(
          bytes(16, "ru_utime", "ru_stime"),
          longs("ru_maxrss", "ru_ixrss", "ru_idrss", "ru_isrss", "ru_minflt", "ru_majflt"),
          longs("ru_nswap", "ru_inblock", "ru_oublock", "ru_msgsnd", "ru_msgrcv"),
          longs("ru_nsignals", "ru_nvcsw", "ru_nivcsw"));

  static final StructLayout UV_UTSNAME_T =
      struct(bytes(256, "sysname", "release", "version", "machine"));

  static final StructLayout UV_PASSWD_T =
      struct(pointers("username"), longs("uid", "gid"), pointers("shell", "homedir"));

  static final StructLayout UV_ENV_ITEM_T = struct(pointers("name", "value"));

  public static final long PROCESS_OPTIONS_SIZE = UV_PROCESS_OPTIONS_T.byteSize();
  public static final long PROCESS_OPTIONS_EXIT_CB = offset(UV_PROCESS_OPTIONS_T, "exit_cb");
  public static final long PROCESS_OPTIONS_FILE = offset(UV_PROCESS_OPTIONS_T, "file");
  public static final long PROCESS_OPTIONS_ARGS = offset(UV_PROCESS_OPTIONS_T, "args");
  public static final long PROCESS_OPTIONS_ENV = offset(UV_PROCESS_OPTIONS_T, "env");
  public static final long PROCESS_OPTIONS_CWD = offset(UV_PROCESS_OPTIONS_T, "cwd");
  public static final long PROCESS_OPTIONS_FLAGS = offset(UV_PROCESS_OPTIONS_T, "flags");
  public static final long PROCESS_OPTIONS_STDIO_COUNT =
      offset(UV_PROCESS_OPTIONS_T, "stdio_count");
  public static final long PROCESS_OPTIONS_STDIO = offset(UV_PROCESS_OPTIONS_T, "stdio");
  public static final long PROCESS_OPTIONS_UID = offset(UV_PROCESS_OPTIONS_T, "uid");
  public static final long PROCESS_OPTIONS_GID = offset(UV_PROCESS_OPTIONS_T, "gid");

  public static final long STDIO_CONTAINER_SIZE = UV_STDIO_CONTAINER_T.byteSize();
  public static final long STDIO_CONTAINER_FLAGS = offset(UV_STDIO_CONTAINER_T, "flags");
  public static final long STDIO_CONTAINER_DATA = offset(UV_STDIO_CONTAINER_T, "data");

  public static final long CPU_INFO_SIZE = UV_CPU_INFO_T.byteSize();
  public static final long CPU_INFO_MODEL = offset(UV_CPU_INFO_T, "model");
  public static final long CPU_INFO_SPEED = offset(UV_CPU_INFO_T, "speed");
  public static final long CPU_INFO_USER = offset(UV_CPU_INFO_T, "cpu_times.user");
  public static final long CPU_INFO_NICE = offset(UV_CPU_INFO_T, "cpu_times.nice");
  public static final long CPU_INFO_SYS = offset(UV_CPU_INFO_T, "cpu_times.sys");
  public static final long CPU_INFO_IDLE = offset(UV_CPU_INFO_T, "cpu_times.idle");
  public static final long CPU_INFO_IRQ = offset(UV_CPU_INFO_T, "cpu_times.irq");

  public static final long INTERFACE_SIZE = UV_INTERFACE_ADDRESS_T.byteSize();
  public static final long INTERFACE_NAME = offset(UV_INTERFACE_ADDRESS_T, "name");
  public static final long INTERFACE_PHYS_ADDR = offset(UV_INTERFACE_ADDRESS_T, "phys_addr");
  public static final long INTERFACE_IS_INTERNAL = offset(UV_INTERFACE_ADDRESS_T, "is_internal");
  public static final long INTERFACE_ADDRESS = offset(UV_INTERFACE_ADDRESS_T, "address");
  public static final long INTERFACE_NETMASK = offset(UV_INTERFACE_ADDRESS_T, "netmask");

  public static final long RUSAGE_SIZE = UV_RUSAGE_T.byteSize();
  public static final long RUSAGE_UTIME = offset(UV_RUSAGE_T, "ru_utime");
  public static final long RUSAGE_STIME = offset(UV_RUSAGE_T, "ru_stime");
  public static final long RUSAGE_MAXRSS = offset(UV_RUSAGE_T, "ru_maxrss");

  /// Bytes in one unit of it: the BSDs count bytes, the others KiB.
  public static final long RUSAGE_MAXRSS_UNIT = Platform.choose(1024, 1, 1024);

  public static final long RUSAGE_MINFLT = offset(UV_RUSAGE_T, "ru_minflt");
  public static final long RUSAGE_MAJFLT = offset(UV_RUSAGE_T, "ru_majflt");
  public static final long RUSAGE_NSWAP = offset(UV_RUSAGE_T, "ru_nswap");
  public static final long RUSAGE_INBLOCK = offset(UV_RUSAGE_T, "ru_inblock");
  public static final long RUSAGE_OUBLOCK = offset(UV_RUSAGE_T, "ru_oublock");
  public static final long RUSAGE_MSGSND = offset(UV_RUSAGE_T, "ru_msgsnd");
  public static final long RUSAGE_MSGRCV = offset(UV_RUSAGE_T, "ru_msgrcv");
  public static final long RUSAGE_NSIGNALS = offset(UV_RUSAGE_T, "ru_nsignals");
  public static final long RUSAGE_NVCSW = offset(UV_RUSAGE_T, "ru_nvcsw");
  public static final long RUSAGE_NIVCSW = offset(UV_RUSAGE_T, "ru_nivcsw");

  public static final long UTSNAME_SIZE = UV_UTSNAME_T.byteSize();
  public static final long UTSNAME_SYSNAME = offset(UV_UTSNAME_T, "sysname");
  public static final long UTSNAME_RELEASE = offset(UV_UTSNAME_T, "release");
  public static final long UTSNAME_VERSION = offset(UV_UTSNAME_T, "version");
  public static final long UTSNAME_MACHINE = offset(UV_UTSNAME_T, "machine");

  public static final long PASSWD_SIZE = UV_PASSWD_T.byteSize();
  public static final long PASSWD_USERNAME = offset(UV_PASSWD_T, "username");
  public static final long PASSWD_UID = offset(UV_PASSWD_T, "uid");
  public static final long PASSWD_GID = offset(UV_PASSWD_T, "gid");
  public static final long PASSWD_SHELL = offset(UV_PASSWD_T, "shell");
  public static final long PASSWD_HOMEDIR = offset(UV_PASSWD_T, "homedir");

  public static final long ENV_ITEM_SIZE = UV_ENV_ITEM_T.byteSize();
  public static final long ENV_ITEM_NAME = offset(UV_ENV_ITEM_T, "name");
  public static final long ENV_ITEM_VALUE = offset(UV_ENV_ITEM_T, "value");

  private SystemLayouts() {}
}
