// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// What is done to a server, once or again and again.
@FunctionalInterface
interface Load {
  /// Returns how much the server has done: requests, bytes, or whatever is counted.
  double run(RunningServer server) throws IOException, InterruptedException;

  /// What a program on that core has printed.
  static String output(int core, List<String> command) throws IOException, InterruptedException {
    Process process = RunningServer.onCore(core, command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " has failed: " + said);
    }
    return said;
  }
}
