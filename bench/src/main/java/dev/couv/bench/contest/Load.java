// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// What is done to a server, once or again and again.
@FunctionalInterface
interface Load {
  /// Returns what was seen of the server.
  Sample run(RunningServer server) throws IOException, InterruptedException;

  /// Requests, bytes, or whatever is counted.
  @FunctionalInterface
  interface Counted {
    double run(RunningServer server) throws IOException, InterruptedException;
  }

  /// A load that does not look at the server itself.
  static Load counted(Counted load) {
    return server -> {
      long cpu = server.cpuNanos();
      long begin = System.nanoTime();
      double done = load.run(server);
      return Sample.counted(done, server.cpuNanos() - cpu, System.nanoTime() - begin);
    };
  }

  /// What a program on these cores has printed.
  static String output(String cores, List<String> command)
      throws IOException, InterruptedException {
    Process process =
        RunningServer.start(RunningServer.onCores(cores, command).redirectErrorStream(true));
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + " has failed: " + said);
      }
      return said;
    } finally {
      process.destroyForcibly();
    }
  }
}
