// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Struct.bytes;
import static dev.couv.uv.Struct.ints;
import static dev.couv.uv.Struct.longs;
import static dev.couv.uv.Struct.padding;
import static dev.couv.uv.Struct.pointers;
import static dev.couv.uv.Struct.struct;

import java.lang.foreign.StructLayout;

/// The plain C structs about processes and the machine, as 64-bit Unixes have them; [Fields] reads and writes them. A test compiles
/// `tools/layout-probe.c` and compares all of it.
public final class SystemLayouts {
  public static final StructLayout UV_PROCESS_OPTIONS_T =
      struct(
          pointers("exit_cb", "file", "args", "env", "cwd"),
          ints("flags", "stdio_count"),
          pointers("stdio"),
          ints("uid", "gid"));

  public static final StructLayout UV_STDIO_CONTAINER_T =
      struct(ints("flags"), padding(4), pointers("data"));

  public static final StructLayout UV_CPU_INFO_T =
      struct(
          pointers("model"),
          ints("speed"),
          padding(4),
          longs("cpu_times.user", "cpu_times.nice", "cpu_times.sys"),
          longs("cpu_times.idle", "cpu_times.irq"));

  public static final StructLayout UV_INTERFACE_ADDRESS_T =
      struct(
          pointers("name"),
          bytes(6, "phys_addr"),
          padding(2),
          ints("is_internal"),
          bytes(28, "address", "netmask"),
          padding(4));

  public static final StructLayout UV_RUSAGE_T =
      struct(
          bytes(16, "ru_utime", "ru_stime"),
          longs("ru_maxrss", "ru_ixrss", "ru_idrss", "ru_isrss", "ru_minflt", "ru_majflt"),
          longs("ru_nswap", "ru_inblock", "ru_oublock", "ru_msgsnd", "ru_msgrcv"),
          longs("ru_nsignals", "ru_nvcsw", "ru_nivcsw"));

  public static final StructLayout UV_UTSNAME_T =
      struct(bytes(256, "sysname", "release", "version", "machine"));

  public static final StructLayout UV_PASSWD_T =
      struct(pointers("username"), longs("uid", "gid"), pointers("shell", "homedir"));

  public static final StructLayout UV_ENV_ITEM_T = struct(pointers("name", "value"));

  /// Bytes in one unit of `ru_maxrss`: the BSDs count bytes, the others KiB.
  public static final long RUSAGE_MAXRSS_UNIT = Platform.choose(1024, 1, 1024);

  private SystemLayouts() {}
}
