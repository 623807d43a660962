// SPDX-License-Identifier: Apache-2.0
package dev.couv.fuzz;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What the process has of the machine, and where that comes from.
final class Resident {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final Path STATUS = Path.of("/proc/self/status");

  static int descriptors() {
    String[] open = DESCRIPTORS.toFile().list();
    return open == null ? 0 : open.length;
  }

  static long kibibytes() throws IOException {
    return Files.readAllLines(STATUS).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElse(0);
  }

  /// Says how it is now.
  void note(String when) throws IOException {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    long code = 0;
    long classes = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      long used = pool.getUsage().getUsed();
      if (pool.getName().startsWith("Code")) {
        code += used;
      } else if (List.of("Metaspace", "Compressed Class Space").contains(pool.getName())) {
        classes += used;
      }
    }
    System.out.printf(
        "%s: resident %d MiB; heap %d of %d MiB, code %d, classes %d, %d threads, %d descriptors%n",
        when,
        kibibytes() >> 10,
        (runtime.totalMemory() - runtime.freeMemory()) >> 20,
        runtime.totalMemory() >> 20,
        code >> 20,
        classes >> 20,
        Thread.activeCount(),
        descriptors());
  }
}
