// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The machine as this process sees it, and what the process was started with.
final class Machine {
  private static final Path CGROUP = Path.of("/sys/fs/cgroup");

  private Machine() {}

  static Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    facts.put("system", system());
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put(
        "memory",
        gibibytes(system.getTotalMemorySize())
            + ", of which the heap may take "
            + gibibytes(Runtime.getRuntime().maxMemory()));
    facts.put("container", container());
    if (system instanceof UnixOperatingSystemMXBean unix) {
      facts.put(
          "open files",
          unix.getOpenFileDescriptorCount() + " of at most " + unix.getMaxFileDescriptorCount());
    }
    facts.put("thread pool", threadPool());
    List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
    facts.put("flags", String.join(" ", flags));
    return facts;
  }

  private static String system() {
    String kernel =
        String.join(
            " ",
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("os.arch"));
    return distribution().map(name -> kernel + ", " + name).orElse(kernel);
  }

  private static Optional<String> distribution() {
    String key = "PRETTY_NAME=";
    return read(Path.of("/etc/os-release"))
        .flatMap(text -> text.lines().filter(line -> line.startsWith(key)).findFirst())
        .map(line -> line.substring(key.length()).replace("\"", ""));
  }

  /// The limits of control groups, version 2. The JVM keeps to them: memory and cores are the rest.
  private static String container() {
    Optional<String> memory = read(CGROUP.resolve("memory.max")).filter(Machine::isLimit);
    Optional<String> cpu = read(CGROUP.resolve("cpu.max")).filter(Machine::isLimit);
    if (memory.isEmpty() && cpu.isEmpty()) {
      return "no limits";
    }
    return memory.map(bytes -> "memory.max " + bytes + " ").orElse("")
        + cpu.map(share -> "cpu.max " + share).orElse("");
  }

  private static boolean isLimit(String value) {
    return !value.startsWith("max");
  }

  /// libuv's own threads: name lookups and files go through them.
  private static String threadPool() {
    String size = System.getenv("UV_THREADPOOL_SIZE");
    return size == null
        ? "libuv's default, 4 (UV_THREADPOOL_SIZE is not set)"
        : "UV_THREADPOOL_SIZE=" + size;
  }

  private static String gibibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (IOException e) {
      return Optional.empty(); // another system, or not for us to read
    }
  }
}
