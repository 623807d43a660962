// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.util.ArrayList;
import java.util.List;

/// The plain C structs about processes and the machine, as 64-bit Unixes have them. A test compiles
/// `tools/layout-probe.c` and compares all of it.
public final class SystemLayouts {
  static final StructLayout UV_PROCESS_OPTIONS_T =
      structLayout(
          POINTER.withName("exit_cb"),
          POINTER.withName("file"),
          POINTER.withName("args"),
          POINTER.withName("env"),
          POINTER.withName("cwd"),
          JAVA_INT.withName("flags"),
          JAVA_INT.withName("stdio_count"),
          POINTER.withName("stdio"),
          JAVA_INT.withName("uid"),
          JAVA_INT.withName("gid"));

  static final StructLayout UV_STDIO_CONTAINER_T =
      structLayout(JAVA_INT.withName("flags"), paddingLayout(4), POINTER.withName("data"));

  static final StructLayout UV_CPU_INFO_T =
      structLayout(
          POINTER.withName("model"),
          JAVA_INT.withName("speed"),
          paddingLayout(4),
          JAVA_LONG.withName("cpu_times.user"),
          JAVA_LONG.withName("cpu_times.nice"),
          JAVA_LONG.withName("cpu_times.sys"),
          JAVA_LONG.withName("cpu_times.idle"),
          JAVA_LONG.withName("cpu_times.irq"));

  static final StructLayout UV_INTERFACE_ADDRESS_T =
      structLayout(
          POINTER.withName("name"),
          sequenceLayout(6, JAVA_BYTE).withName("phys_addr"),
          paddingLayout(2),
          JAVA_INT.withName("is_internal"),
          sequenceLayout(28, JAVA_BYTE).withName("address"),
          sequenceLayout(28, JAVA_BYTE).withName("netmask"),
          paddingLayout(4));

  static final StructLayout UV_RUSAGE_T = usage();

  static final StructLayout UV_UTSNAME_T =
      structLayout(
          sequenceLayout(256, JAVA_BYTE).withName("sysname"),
          sequenceLayout(256, JAVA_BYTE).withName("release"),
          sequenceLayout(256, JAVA_BYTE).withName("version"),
          sequenceLayout(256, JAVA_BYTE).withName("machine"));

  static final StructLayout UV_PASSWD_T =
      structLayout(
          POINTER.withName("username"),
          JAVA_LONG.withName("uid"),
          JAVA_LONG.withName("gid"),
          POINTER.withName("shell"),
          POINTER.withName("homedir"));

  static final StructLayout UV_ENV_ITEM_T =
      structLayout(POINTER.withName("name"), POINTER.withName("value"));

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

  private static StructLayout usage() {
    List<MemoryLayout> fields = new ArrayList<>();
    fields.add(sequenceLayout(16, JAVA_BYTE).withName("ru_utime"));
    fields.add(sequenceLayout(16, JAVA_BYTE).withName("ru_stime"));
    for (String name :
        List.of(
            "maxrss",
            "ixrss",
            "idrss",
            "isrss",
            "minflt",
            "majflt",
            "nswap",
            "inblock",
            "oublock",
            "msgsnd",
            "msgrcv",
            "nsignals",
            "nvcsw",
            "nivcsw")) {
      fields.add(JAVA_LONG.withName("ru_" + name));
    }
    return structLayout(fields.toArray(MemoryLayout[]::new));
  }

  private static long offset(StructLayout struct, String field) {
    return struct.byteOffset(groupElement(field));
  }
}
