// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.PathBytes;
import dev.couv.uv.Memory;
import dev.couv.uv.SystemLayouts;
import dev.couv.uv.UvInfo;
import dev.couv.uv.UvMachine;
import dev.couv.uv.UvRandom;
import dev.couv.world.Machine;
import dev.couv.world.Request;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// What libuv and the system tell of the machine and this process.
final class HostMachine implements Machine {
  private static final int HARDWARE_BYTES = 6;

  @Override
  public <T> List<T> cpus(Cpu<T> as) throws IOException {
    return Answers.list(
        "cpus",
        UvMachine::uv_cpu_info,
        SystemLayouts.CPU_INFO_SIZE,
        at ->
            as.of(
                string(at + SystemLayouts.CPU_INFO_MODEL),
                Memory.getInt(at + SystemLayouts.CPU_INFO_SPEED),
                millis(at + SystemLayouts.CPU_INFO_USER),
                millis(at + SystemLayouts.CPU_INFO_NICE),
                millis(at + SystemLayouts.CPU_INFO_SYS),
                millis(at + SystemLayouts.CPU_INFO_IDLE),
                millis(at + SystemLayouts.CPU_INFO_IRQ)),
        UvMachine::uv_free_cpu_info);
  }

  @Override
  public int parallelism() {
    return UvInfo.uv_available_parallelism();
  }

  @Override
  public <T> T memory(MemoryUse<T> as) throws IOException {
    long total = UvMachine.uv_get_total_memory();
    long told = UvMachine.uv_get_constrained_memory();
    long limit = Math.min(told <= 0 ? total : told, LinuxProcess.memoryLimit());
    return Answers.room(
        Long.BYTES,
        at -> {
          Failures.check(UvMachine.uv_resident_set_memory(at), "memory", "this process");
          return as.of(
              total, UvMachine.uv_get_free_memory(), Math.min(limit, total), Memory.getLong(at));
        });
  }

  @Override
  public <T> T load(Load<T> as) {
    return Answers.room(
        3 * Double.BYTES,
        at -> {
          UvMachine.uv_loadavg(at);
          return as.of(real(at), real(at + Double.BYTES), real(at + 2 * Double.BYTES));
        });
  }

  @Override
  public Duration uptime() throws IOException {
    return Answers.room(
        Double.BYTES,
        at -> {
          Failures.check(UvMachine.uv_uptime(at), "uptime", "this machine");
          return Duration.ofNanos((long) (real(at) * 1e9));
        });
  }

  @Override
  public String hostName() throws IOException {
    return Answers.text("host name", UvMachine::uv_os_gethostname);
  }

  @Override
  public <T> T os(Os<T> as) throws IOException {
    return Answers.room(
        SystemLayouts.UTSNAME_SIZE,
        at -> {
          Failures.check(UvMachine.uv_os_uname(at), "uname", "this machine");
          return as.of(
              Memory.getString(at + SystemLayouts.UTSNAME_SYSNAME),
              Memory.getString(at + SystemLayouts.UTSNAME_RELEASE),
              Memory.getString(at + SystemLayouts.UTSNAME_VERSION),
              Memory.getString(at + SystemLayouts.UTSNAME_MACHINE));
        });
  }

  @Override
  public <T> List<T> links(Link<T> as) throws IOException {
    return Answers.list(
        "interfaces",
        UvMachine::uv_interface_addresses,
        SystemLayouts.INTERFACE_SIZE,
        at -> link(as, at),
        UvMachine::uv_free_interface_addresses);
  }

  @Override
  public <T> T usage(Usage<T> as) throws IOException {
    return Answers.room(
        SystemLayouts.RUSAGE_SIZE,
        at -> {
          Failures.check(UvMachine.uv_getrusage(at), "usage", "this process");
          return as.of(
              time(at + SystemLayouts.RUSAGE_UTIME),
              time(at + SystemLayouts.RUSAGE_STIME),
              Memory.getLong(at + SystemLayouts.RUSAGE_MAXRSS) * SystemLayouts.RUSAGE_MAXRSS_UNIT,
              Memory.getLong(at + SystemLayouts.RUSAGE_MINFLT),
              Memory.getLong(at + SystemLayouts.RUSAGE_MAJFLT),
              Memory.getLong(at + SystemLayouts.RUSAGE_NSWAP),
              Memory.getLong(at + SystemLayouts.RUSAGE_INBLOCK),
              Memory.getLong(at + SystemLayouts.RUSAGE_OUBLOCK),
              Memory.getLong(at + SystemLayouts.RUSAGE_MSGSND),
              Memory.getLong(at + SystemLayouts.RUSAGE_MSGRCV),
              Memory.getLong(at + SystemLayouts.RUSAGE_NSIGNALS),
              Memory.getLong(at + SystemLayouts.RUSAGE_NVCSW),
              Memory.getLong(at + SystemLayouts.RUSAGE_NIVCSW));
        });
  }

  @Override
  public <T> T user(User<T> as) throws IOException {
    return Answers.room(
        SystemLayouts.PASSWD_SIZE,
        at -> {
          Failures.check(UvMachine.uv_os_get_passwd(at), "user", "this process");
          try {
            return as.of(
                string(at + SystemLayouts.PASSWD_USERNAME),
                Memory.getLong(at + SystemLayouts.PASSWD_UID),
                Memory.getLong(at + SystemLayouts.PASSWD_GID),
                string(at + SystemLayouts.PASSWD_SHELL),
                path(at + SystemLayouts.PASSWD_HOMEDIR));
          } finally {
            UvMachine.uv_os_free_passwd(at);
          }
        });
  }

  @Override
  public long pid() {
    return ProcessHandle.current().pid();
  }

  @Override
  public long parentPid() {
    return UvMachine.uv_os_getppid();
  }

  @Override
  public Path executable() throws IOException {
    return Answers.path("executable", UvMachine::uv_exepath);
  }

  @Override
  public Path homeDir() throws IOException {
    return Answers.path("home directory", UvMachine::uv_os_homedir);
  }

  @Override
  public Path tempDir() throws IOException {
    return Answers.path("temporary directory", UvMachine::uv_os_tmpdir);
  }

  @Override
  public String title() throws IOException {
    return LinuxProcess.hasName()
        ? LinuxProcess.name()
        : String.valueOf(executable().getFileName());
  }

  @Override
  public void title(String name) throws IOException {
    if (!LinuxProcess.hasName()) {
      throw new UnsupportedOperationException("this system has no names of processes to be set");
    }
    LinuxProcess.name(name);
  }

  @Override
  public Request<byte[]> random(int length) {
    return new RandomOperation(length);
  }

  @Override
  public void randomNow(ByteBuffer into) throws IOException {
    int length = into.remaining();
    long at = NativeMemory.check(Memory.malloc(Math.max(1, length)));
    try {
      Failures.check(UvRandom.uv_random(0, 0, at, length, 0, 0), "random", length + " bytes");
      Memory.copy(at, into, into.position(), length);
      into.position(into.limit());
    } finally {
      Memory.free(at);
    }
  }

  private static <T> T link(Link<T> as, long at) {
    List<Byte> hardware = new ArrayList<>(HARDWARE_BYTES);
    for (int i = 0; i < HARDWARE_BYTES; i++) {
      hardware.add(Memory.getByte(at + SystemLayouts.INTERFACE_PHYS_ADDR + i));
    }
    InetAddress address = SocketAddresses.read(at + SystemLayouts.INTERFACE_ADDRESS).getAddress();
    byte[] mask =
        SocketAddresses.bytes(
            at + SystemLayouts.INTERFACE_NETMASK, address instanceof Inet6Address);
    return as.of(
        string(at + SystemLayouts.INTERFACE_NAME),
        address,
        BitSet.valueOf(mask).cardinality(),
        List.copyOf(hardware),
        Memory.getInt(at + SystemLayouts.INTERFACE_IS_INTERNAL) != 0);
  }

  private static Duration millis(long at) {
    return Duration.ofMillis(Memory.getLong(at));
  }

  private static Duration time(long at) {
    return Duration.ofSeconds(Memory.getLong(at), Memory.getLong(at + Long.BYTES) * 1000);
  }

  private static double real(long at) {
    return Double.longBitsToDouble(Memory.getLong(at));
  }

  private static Path path(long at) {
    long text = Memory.getLong(at);
    return text == 0 ? Path.of("") : PathBytes.read(text);
  }

  private static String string(long at) {
    long text = Memory.getLong(at);
    return text == 0 ? "" : Memory.getString(text);
  }
}
