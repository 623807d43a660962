// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.PathBytes;
import dev.couv.uv.Fields;
import dev.couv.uv.Memory;
import dev.couv.uv.SystemLayouts;
import dev.couv.uv.UvEnv;
import dev.couv.uv.UvMachine;
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
        SystemLayouts.UV_CPU_INFO_T,
        cpu ->
            as.of(
                cpu.getText("model"),
                cpu.getInt("speed"),
                Duration.ofMillis(cpu.getLong("cpu_times.user")),
                Duration.ofMillis(cpu.getLong("cpu_times.nice")),
                Duration.ofMillis(cpu.getLong("cpu_times.sys")),
                Duration.ofMillis(cpu.getLong("cpu_times.idle")),
                Duration.ofMillis(cpu.getLong("cpu_times.irq"))),
        UvMachine::uv_free_cpu_info);
  }

  @Override
  public int parallelism() {
    return UvMachine.uv_available_parallelism();
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
    return Answers.struct(
        SystemLayouts.UV_UTSNAME_T,
        os -> {
          Failures.check(UvMachine.uv_os_uname(os.address()), "uname", "this machine");
          return as.of(
              Memory.getString(os.at("sysname")),
              Memory.getString(os.at("release")),
              Memory.getString(os.at("version")),
              Memory.getString(os.at("machine")));
        });
  }

  @Override
  public <T> List<T> links(Link<T> as) throws IOException {
    return Answers.list(
        "interfaces",
        UvMachine::uv_interface_addresses,
        SystemLayouts.UV_INTERFACE_ADDRESS_T,
        link -> link(as, link),
        UvMachine::uv_free_interface_addresses);
  }

  @Override
  public <T> T usage(Usage<T> as) throws IOException {
    return Answers.struct(
        SystemLayouts.UV_RUSAGE_T,
        used -> {
          Failures.check(UvMachine.uv_getrusage(used.address()), "usage", "this process");
          return as.of(
              time(used.at("ru_utime")),
              time(used.at("ru_stime")),
              used.getLong("ru_maxrss") * SystemLayouts.RUSAGE_MAXRSS_UNIT,
              used.getLong("ru_minflt"),
              used.getLong("ru_majflt"),
              used.getLong("ru_nswap"),
              used.getLong("ru_inblock"),
              used.getLong("ru_oublock"),
              used.getLong("ru_msgsnd"),
              used.getLong("ru_msgrcv"),
              used.getLong("ru_nsignals"),
              used.getLong("ru_nvcsw"),
              used.getLong("ru_nivcsw"));
        });
  }

  @Override
  public <T> T user(User<T> as) throws IOException {
    return Answers.struct(
        SystemLayouts.UV_PASSWD_T,
        user -> {
          Failures.check(UvMachine.uv_os_get_passwd(user.address()), "user", "this process");
          try {
            long home = user.getLong("homedir");
            return as.of(
                user.getText("username"),
                user.getLong("uid"),
                user.getLong("gid"),
                user.getText("shell"),
                home == 0 ? Path.of("") : PathBytes.read(home));
          } finally {
            UvMachine.uv_os_free_passwd(user.address());
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
  public int priority(long pid) throws IOException {
    return Answers.room(
        Integer.BYTES,
        at -> {
          Failures.check(
              UvEnv.uv_os_getpriority((int) pid, at), "get the priority of", "process " + pid);
          return Memory.getInt(at);
        });
  }

  @Override
  public void setPriority(long pid, int nice) throws IOException {
    Failures.check(
        UvEnv.uv_os_setpriority((int) pid, nice), "set the priority of", "process " + pid);
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
      Failures.check(UvMachine.uv_random(0, 0, at, length, 0, 0), "random", length + " bytes");
      Memory.copy(at, into, into.position(), length);
      into.position(into.limit());
    } finally {
      Memory.free(at);
    }
  }

  private static <T> T link(Link<T> as, Fields link) {
    List<Byte> hardware = new ArrayList<>(HARDWARE_BYTES);
    for (int i = 0; i < HARDWARE_BYTES; i++) {
      hardware.add(Memory.getByte(link.at("phys_addr") + i));
    }
    InetAddress address = NativeAddresses.read(link.at("address")).getAddress();
    byte[] mask = NativeAddresses.bytes(link.at("netmask"), address instanceof Inet6Address);
    return as.of(
        link.getText("name"),
        address,
        BitSet.valueOf(mask).cardinality(),
        List.copyOf(hardware),
        link.getInt("is_internal") != 0);
  }

  private static Duration time(long at) {
    return Duration.ofSeconds(Memory.getLong(at), Memory.getLong(at + Long.BYTES) * 1000);
  }

  private static double real(long at) {
    return Double.longBitsToDouble(Memory.getLong(at));
  }
}
