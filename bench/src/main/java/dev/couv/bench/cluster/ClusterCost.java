// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.cluster;

import com.sun.management.OperatingSystemMXBean;
import dev.couv.info.Info;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/// What a message costs through Couv, or through the plain client of NATS: time, and processor time of the whole process but the
/// compilers of the VM, and how long a call takes. Prints a line for each; how often its threads waited goes to a line of its own.
///
/// It is warmed up until the compilers should be done: before that Couv is two to three times as slow, and the plain client one and
/// a half times.
///
/// `ClusterCost SIZE couv|jnats publish|queue|call URL`
public final class ClusterCost {
  private static final long WARM_UP_NANOS = 15_000_000_000L;
  private static final int MESSAGES = 400_000;
  private static final int VALUES = 12_000;
  private static final int CALLS = 80_000;

  /// Of calls that come one after the other.
  private static final int SINGLE_CALLS = 8_000;

  /// One side of the comparison.
  interface Side {
    /// Messages of so many bytes to somebody who counts them.
    void publish(int count, int bytes) throws Exception;

    /// So many puts at a time.
    void queue(int count, int atOnce) throws Exception;

    /// The time of each call; so many at a time.
    long[] call(int count, int atOnce) throws Exception;
  }

  private ClusterCost() {}

  public static void main(String[] arguments) throws Exception {
    int size = Integer.parseInt(arguments[0]);
    String url = arguments[3];
    Side side = arguments[1].equals("couv") ? new CouvSide(url) : new PlainSide(url);
    String what = arguments[2];
    int count = count(what, size);
    long warm = System.nanoTime() + WARM_UP_NANOS;
    do {
      run(side, what, count, size);
    } while (System.nanoTime() - warm < 0);
    long switches = switches();
    long cpu = cpu();
    long start = System.nanoTime();
    long[] latencies = run(side, what, count, size);
    say("time", (double) (System.nanoTime() - start) / count);
    say("cpu", (double) (cpu() - cpu) / count);
    say("waits", (double) (switches() - switches) / count);
    if (latencies.length > 0) {
      Arrays.sort(latencies);
      say("p50", latencies[latencies.length / 2]);
      say("p99", latencies[latencies.length * 99 / 100]);
    }
    System.exit(0);
  }

  static void say(String what, double value) {
    System.out.printf(Locale.ROOT, "%s %.2f%n", what, value);
  }

  private static int count(String what, int size) {
    return switch (what) {
      case "publish" -> MESSAGES;
      case "queue" -> VALUES;
      case "call" -> size == 1 ? SINGLE_CALLS : CALLS;
      default -> throw new IllegalArgumentException(what);
    };
  }

  private static long[] run(Side side, String what, int count, int size) throws Exception {
    switch (what) {
      case "publish" -> side.publish(count, size);
      case "queue" -> side.queue(count, size);
      default -> {
        return side.call(count, size);
      }
    }
    return new long[0];
  }

  /// Of this process without its compilers.
  static long cpu() throws IOException {
    long all =
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    return all - compilers();
  }

  /// What the JIT's threads have used: in a short run it would hide everything else. They must not
  /// end meanwhile (`-XX:-UseDynamicNumberOfCompilerThreads`).
  private static long compilers() throws IOException {
    return sum(
        task ->
            isCompiler(task) ? Long.parseLong(read(task.resolve("schedstat")).split(" ")[0]) : 0);
  }

  /// How often a thread has waited for another, or for the server: what does not depend on how busy
  /// the machine is.
  private static long switches() throws IOException {
    return Info.usage().voluntarySwitches()
        - sum(task -> isCompiler(task) ? voluntary(read(task.resolve("status"))) : 0);
  }

  private static long voluntary(String status) {
    return status
        .lines()
        .filter(line -> line.startsWith("voluntary_ctxt_switches:"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
        .sum();
  }

  private static boolean isCompiler(Path task) throws IOException {
    String name = read(task.resolve("comm"));
    return name.startsWith("C1 ") || name.startsWith("C2 ");
  }

  private interface Counted {
    long of(Path task) throws IOException;
  }

  private static long sum(Counted counted) throws IOException {
    long sum = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path task : tasks) {
        sum += counted.of(task);
      }
    }
    return sum;
  }

  /// Empty if the thread has ended meanwhile.
  private static String read(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException ended) {
      return "";
    }
  }
}
