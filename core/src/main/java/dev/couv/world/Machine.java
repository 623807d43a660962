// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The machine and the process that a program runs on. Each answer is of the moment; any thread may ask, and nothing waits
/// but [#random]. An answer of several parts is put together by whoever asks.
public interface Machine {
  /// How one processor has spent its time since the machine started.
  interface Cpu<T> {
    T of(
        String model,
        int megahertz,
        Duration user,
        Duration nice,
        Duration system,
        Duration idle,
        Duration interrupt);
  }

  /// Memory, in bytes: of the machine, of it free, what this process may use, and what it has.
  interface MemoryUse<T> {
    T of(long total, long free, long limit, long resident);
  }

  /// How many threads ran or wanted to, on average of the last 1, 5 and 15 minutes.
  interface Load<T> {
    T of(double one, double five, double fifteen);
  }

  /// What `uname` tells.
  interface Os<T> {
    T of(String name, String release, String version, String machine);
  }

  /// One address of a network interface.
  interface Link<T> {
    T of(
        String name,
        InetAddress address,
        int prefixBits,
        List<Byte> hardwareAddress,
        boolean isInternal);
  }

  /// What `getrusage` tells, in its order.
  interface Usage<T> {
    T of(
        Duration userTime,
        Duration systemTime,
        long maxResidentBytes,
        long minorFaults,
        long majorFaults,
        long swaps,
        long blocksRead,
        long blocksWritten,
        long messagesSent,
        long messagesReceived,
        long signals,
        long voluntarySwitches,
        long involuntarySwitches);
  }

  /// Whom the process runs as.
  interface User<T> {
    T of(String name, long uid, long gid, String shell, Path home);
  }

  <T> List<T> cpus(Cpu<T> as) throws IOException;

  /// How many threads of this process can run at once.
  int parallelism();

  <T> T memory(MemoryUse<T> as) throws IOException;

  <T> T load(Load<T> as);

  Duration uptime() throws IOException;

  String hostName() throws IOException;

  <T> T os(Os<T> as) throws IOException;

  <T> List<T> links(Link<T> as) throws IOException;

  <T> T usage(Usage<T> as) throws IOException;

  <T> T user(User<T> as) throws IOException;

  long pid();

  long parentPid();

  /// How nice a process is to others, from -20 to 19.
  int priority(long pid) throws IOException;

  void setPriority(long pid, int nice) throws IOException;

  Path executable() throws IOException;

  Path homeDir() throws IOException;

  Path tempDir() throws IOException;

  /// The name that this process is shown under.
  String title() throws IOException;

  /// Sets the name that this process is shown under.
  ///
  /// @throws UnsupportedOperationException if there is no such name to be set
  void title(String name) throws IOException;

  /// So many random bytes, good enough for keys.
  Request<byte[]> random(int length);

  /// Fills the buffer with such bytes; blocks the thread.
  void randomNow(ByteBuffer into) throws IOException;
}
