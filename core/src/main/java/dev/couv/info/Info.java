// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.PathBytes;
import dev.couv.strand.Suspension;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.SystemLayouts;
import dev.couv.uv.UvInfo;
import dev.couv.uv.UvMachine;
import dev.couv.uv.UvRandom;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What there is to know about the machine and this process. Each answer is of the moment it was asked
/// for. Nothing waits, except [#random]; any thread may ask.
public final class Info {
  private static final Path NAME_FILE = Path.of("/proc/self/comm");
  private static final int LONGEST_TITLE = 15;
  private static final int HARDWARE_BYTES = 6;
  private static final int ADDRESS4_BYTES = 4;
  private static final int ADDRESS6_BYTES = 16;

  /// The BSDs count the most resident memory in bytes, the others in KiB.
  private static final long RESIDENT_UNIT = Layouts.SOCKADDR_HAS_LENGTH ? 1 : 1024;

  private Info() {}

  /// Every processor of the machine.
  public static List<CpuInfo> cpus() throws IOException {
    return Answers.list(
        "cpus",
        UvMachine::uv_cpu_info,
        SystemLayouts.CPU_INFO_SIZE,
        at ->
            new CpuInfo(
                string(at + SystemLayouts.CPU_INFO_MODEL),
                Memory.getInt(at + SystemLayouts.CPU_INFO_SPEED),
                Memory.getLong(at + SystemLayouts.CPU_INFO_USER),
                Memory.getLong(at + SystemLayouts.CPU_INFO_NICE),
                Memory.getLong(at + SystemLayouts.CPU_INFO_SYS),
                Memory.getLong(at + SystemLayouts.CPU_INFO_IDLE),
                Memory.getLong(at + SystemLayouts.CPU_INFO_IRQ)),
        UvMachine::uv_free_cpu_info);
  }

  /// How many threads can run at once, as far as this process is allowed to.
  public static int parallelism() {
    return UvInfo.uv_available_parallelism();
  }

  public static MemoryInfo memory() throws IOException {
    long total = UvMachine.uv_get_total_memory();
    long told = UvMachine.uv_get_constrained_memory();
    long limit = Math.min(told <= 0 ? total : told, MemoryLimit.now());
    long at = NativeMemory.check(Memory.calloc(1, Long.BYTES));
    try {
      Failures.check(UvMachine.uv_resident_set_memory(at), "memory", "this process");
      return new MemoryInfo(
          total, UvMachine.uv_get_free_memory(), Math.min(limit, total), Memory.getLong(at));
    } finally {
      Memory.free(at);
    }
  }

  public static LoadInfo load() {
    long at = NativeMemory.check(Memory.calloc(3, Double.BYTES));
    try {
      UvMachine.uv_loadavg(at);
      return new LoadInfo(real(at), real(at + Double.BYTES), real(at + 2 * Double.BYTES));
    } finally {
      Memory.free(at);
    }
  }

  /// How long the machine has been running.
  public static Duration uptime() throws IOException {
    long at = NativeMemory.check(Memory.calloc(1, Double.BYTES));
    try {
      Failures.check(UvMachine.uv_uptime(at), "uptime", "this machine");
      return Duration.ofNanos((long) (real(at) * 1e9));
    } finally {
      Memory.free(at);
    }
  }

  public static String hostName() throws IOException {
    return Answers.text("host name", UvMachine::uv_os_gethostname);
  }

  public static OsInfo os() throws IOException {
    long at = NativeMemory.check(Memory.calloc(1, SystemLayouts.UTSNAME_SIZE));
    try {
      Failures.check(UvMachine.uv_os_uname(at), "uname", "this machine");
      return new OsInfo(
          Memory.getString(at + SystemLayouts.UTSNAME_SYSNAME),
          Memory.getString(at + SystemLayouts.UTSNAME_RELEASE),
          Memory.getString(at + SystemLayouts.UTSNAME_VERSION),
          Memory.getString(at + SystemLayouts.UTSNAME_MACHINE));
    } finally {
      Memory.free(at);
    }
  }

  /// Every address of every network interface that is up.
  public static List<NetInterface> interfaces() throws IOException {
    return Answers.list(
        "interfaces",
        UvMachine::uv_interface_addresses,
        SystemLayouts.INTERFACE_SIZE,
        Info::readInterface,
        UvMachine::uv_free_interface_addresses);
  }

  public static UsageInfo usage() throws IOException {
    long at = NativeMemory.check(Memory.calloc(1, SystemLayouts.RUSAGE_SIZE));
    try {
      Failures.check(UvMachine.uv_getrusage(at), "usage", "this process");
      return new UsageInfo(
          time(at + SystemLayouts.RUSAGE_UTIME),
          time(at + SystemLayouts.RUSAGE_STIME),
          Memory.getLong(at + SystemLayouts.RUSAGE_MAXRSS) * RESIDENT_UNIT,
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
    } finally {
      Memory.free(at);
    }
  }

  public static UserInfo user() throws IOException {
    long at = NativeMemory.check(Memory.calloc(1, SystemLayouts.PASSWD_SIZE));
    try {
      Failures.check(UvMachine.uv_os_get_passwd(at), "user", "this process");
      try {
        return new UserInfo(
            string(at + SystemLayouts.PASSWD_USERNAME),
            Memory.getLong(at + SystemLayouts.PASSWD_UID),
            Memory.getLong(at + SystemLayouts.PASSWD_GID),
            string(at + SystemLayouts.PASSWD_SHELL),
            path(at + SystemLayouts.PASSWD_HOMEDIR));
      } finally {
        UvMachine.uv_os_free_passwd(at);
      }
    } finally {
      Memory.free(at);
    }
  }

  public static long pid() {
    return ProcessHandle.current().pid();
  }

  public static long parentPid() {
    return UvMachine.uv_os_getppid();
  }

  /// The file that this process runs: that of the Java VM.
  public static Path executable() throws IOException {
    return Answers.path("executable", UvMachine::uv_exepath);
  }

  /// Where the user's files are.
  public static Path homeDir() throws IOException {
    return Answers.path("home directory", UvMachine::uv_os_homedir);
  }

  /// Where temporary files go, by the environment.
  public static Path tempDir() throws IOException {
    return Answers.path("temporary directory", UvMachine::uv_os_tmpdir);
  }

  /// The name under which `top` and its like show this process.
  public static String title() throws IOException {
    return Files.exists(NAME_FILE)
        ? new String(Files.readAllBytes(NAME_FILE), UTF_8).strip() // others may cut it anywhere
        : String.valueOf(executable().getFileName());
  }

  /// Gives this process another name to be shown under. The system keeps the first 15 bytes, of whole
  /// characters.
  ///
  /// @throws IllegalArgumentException if it contains a NUL, at which the system would cut it
  /// @throws UnsupportedOperationException where the system has no such name: not on Linux
  public static void title(String name) throws IOException {
    if (name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("the name contains a NUL");
    }
    if (!Files.exists(NAME_FILE)) {
      throw new UnsupportedOperationException("this system has no names of processes to be set");
    }
    byte[] bytes = name.getBytes(UTF_8);
    int length = Math.min(bytes.length, LONGEST_TITLE);
    while (length > 0 && length < bytes.length && (bytes[length] & 0xC0) == 0x80) {
      length--; // in the middle of a character
    }
    Files.write(NAME_FILE, Arrays.copyOf(bytes, length));
  }

  /// Await function: fills the buffer with random bytes of the system, good enough for keys. Cancelled,
  /// it leaves the bytes up to the buffer's position filled.
  public static void random(ByteBuffer into) throws IOException {
    checkWritable(into);
    Suspension.pass("Info.random");
    while (into.hasRemaining()) {
      RandomOperation random =
          new RandomOperation(Math.min(into.remaining(), RandomOperation.MOST));
      Suspension.await(random);
      into.put(random.finish());
    }
  }

  /// Likewise, but blocks the thread. Any thread.
  public static void randomNow(ByteBuffer into) throws IOException {
    checkWritable(into);
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

  private static void checkWritable(ByteBuffer into) {
    if (into.isReadOnly()) {
      throw new IllegalArgumentException("the buffer is read-only");
    }
  }

  private static NetInterface readInterface(long at) {
    List<Byte> hardware = new ArrayList<>(HARDWARE_BYTES);
    for (int i = 0; i < HARDWARE_BYTES; i++) {
      hardware.add(Memory.getByte(at + SystemLayouts.INTERFACE_PHYS_ADDR + i));
    }
    byte[] mask = addressBytes(at + SystemLayouts.INTERFACE_NETMASK, family(at));
    int bits = 0;
    for (byte each : mask) {
      bits += Integer.bitCount(each & 0xff);
    }
    return new NetInterface(
        string(at + SystemLayouts.INTERFACE_NAME),
        address(
            addressBytes(at + SystemLayouts.INTERFACE_ADDRESS, family(at)),
            Memory.getInt(at + SystemLayouts.INTERFACE_ADDRESS + Layouts.SOCKADDR_IN6_SCOPE_ID)),
        bits,
        List.copyOf(hardware),
        Memory.getInt(at + SystemLayouts.INTERFACE_IS_INTERNAL) != 0);
  }

  private static int family(long at) {
    long family = at + SystemLayouts.INTERFACE_ADDRESS + Layouts.SOCKADDR_FAMILY;
    return Layouts.SOCKADDR_HAS_LENGTH ? Memory.getByte(family) & 0xff : Memory.getShort(family);
  }

  private static byte[] addressBytes(long at, int family) {
    boolean is6 = family == Layouts.AF_INET6;
    byte[] bytes = new byte[is6 ? ADDRESS6_BYTES : ADDRESS4_BYTES];
    long from = at + (is6 ? Layouts.SOCKADDR_IN6_ADDR : Layouts.SOCKADDR_IN_ADDR);
    Memory.copy(from, bytes, 0, bytes.length);
    return bytes;
  }

  /// An address of a link means nothing without its scope, which the others do not have.
  private static InetAddress address(byte[] bytes, int scope) {
    try {
      InetAddress address = InetAddress.getByAddress(bytes);
      return address instanceof Inet6Address && address.isLinkLocalAddress()
          ? Inet6Address.getByAddress(null, bytes, scope)
          : address;
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
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
