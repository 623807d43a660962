// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What a result says about the machine it is from.
final class Machine {
  private Machine() {}

  static String told() throws IOException {
    return "%s, %d cores, Linux %s"
        .formatted(
            processor(),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.version"));
  }

  static String loadAverage() throws IOException {
    return Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
  }

  private static String processor() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 2))
          .orElse(System.getProperty("os.arch"));
    }
  }
}
