// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.inspect.TraceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// The timeline of a script: `couv run --trace`. It is written when the VM ends, however the script has: by itself, with a
/// failure, by a signal, by `System.exit`.
final class RunTrace {
  private RunTrace() {}

  /// Begins to record. False if the file cannot be written, and then the user was told. Before the first loop.
  static boolean begin(Path file, List<String> words) {
    try {
      OutputFile.requireWritable(file);
      TraceFile trace = TraceFile.begin(file, "couv run " + String.join(" ", words));
      Runtime.getRuntime()
          .addShutdownHook(Thread.ofPlatform().name("couv-trace").unstarted(() -> write(trace)));
      return true;
    } catch (IOException refused) {
      System.err.println(
          "couv: the trace cannot be written in " + file + ": " + refused.getMessage());
      return false;
    }
  }

  private static void write(TraceFile trace) {
    try {
      trace.write();
      System.err.println("couv: " + trace);
    } catch (IOException failed) {
      System.err.println("couv: the trace could not be written: " + failed);
    }
  }
}
