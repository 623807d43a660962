// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

import dev.couv.strand.Suspension;
import dev.couv.world.Machine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/// What there is to know about the machine and this process. Each answer is of the moment it was asked
/// for. Nothing waits, except [#random]; any thread may ask.
public final class Info {
  /// As many random bytes are asked for at once.
  private static final int RANDOM_BYTES = 1 << 16;

  private Info() {}

  private static Machine machine() {
    return Suspension.world().machine();
  }

  /// Every processor of the machine.
  public static List<CpuInfo> cpus() throws IOException {
    return machine().cpus(CpuInfo::new);
  }

  /// How many threads can run at once, as far as this process is allowed to.
  public static int parallelism() {
    return machine().parallelism();
  }

  /// The machine's memory, what this process may use of it, and what it has.
  public static MemoryInfo memory() throws IOException {
    return machine().memory(MemoryInfo::new);
  }

  /// How busy the machine has been in the last minutes.
  public static LoadInfo load() {
    return machine().load(LoadInfo::new);
  }

  /// How long the machine has been running.
  public static Duration uptime() throws IOException {
    return machine().uptime();
  }

  /// The name that the machine has for itself, which need not be one that `Names` knows.
  public static String hostName() throws IOException {
    return machine().hostName();
  }

  /// The operating system: its name and version, and the kind of machine.
  public static OsInfo os() throws IOException {
    return machine().os(OsInfo::new);
  }

  /// Every address of every network interface that is up.
  public static List<NetInterface> interfaces() throws IOException {
    return machine().links(NetInterface::new);
  }

  /// What this process has used so far: processor time, memory, reads and writes.
  public static UsageInfo usage() throws IOException {
    return machine().usage(UsageInfo::new);
  }

  /// The user that this process runs as.
  public static UserInfo user() throws IOException {
    return machine().user(UserInfo::new);
  }

  /// The number of this process.
  public static long pid() {
    return machine().pid();
  }

  /// The number of the process that started this one, or that has taken it over since.
  public static long parentPid() {
    return machine().parentPid();
  }

  /// The file that this process runs: that of the Java VM.
  public static Path executable() throws IOException {
    return machine().executable();
  }

  /// Where the user's files are.
  public static Path homeDir() throws IOException {
    return machine().homeDir();
  }

  /// Where temporary files go, by the environment.
  public static Path tempDir() throws IOException {
    return machine().tempDir();
  }

  /// The name under which `top` and its like show this process.
  public static String title() throws IOException {
    return machine().title();
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
    machine().title(name);
  }

  /// Await function: fills the buffer with random bytes of the system, good enough for keys. Cancelled,
  /// it leaves the bytes up to the buffer's position filled.
  public static void random(ByteBuffer into) throws IOException {
    checkWritable(into);
    Suspension.pass("Info.random");
    while (into.hasRemaining()) {
      int most = Math.min(into.remaining(), RANDOM_BYTES);
      into.put(Suspension.answer(machine().random(most)));
    }
  }

  /// Fills the buffer with random bytes of the system, good enough for keys, and blocks the thread meanwhile. Any
  /// thread may call it.
  public static void randomNow(ByteBuffer into) throws IOException {
    checkWritable(into);
    machine().randomNow(into);
  }

  /// Numbers by chance that need not be secret, as for the jitter of a pause: the calling thread's own, or in a simulated
  /// world those of its seed. To be asked for at each use. Any thread may call it.
  public static RandomGenerator chance() {
    return Suspension.world().chance();
  }

  private static void checkWritable(ByteBuffer into) {
    if (into.isReadOnly()) {
      throw new IllegalArgumentException("the buffer is read-only");
    }
  }
}
