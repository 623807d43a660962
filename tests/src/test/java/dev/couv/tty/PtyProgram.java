// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.coro.FreshJvm;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A program in a JVM of its own whose standard streams are a pseudo-terminal, and that is in its foreground.
record PtyProgram(Process process) implements AutoCloseable {
  static PtyProgram start(Pty terminal, Class<?> program, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("setsid", "-c"));
    command.addAll(
        FreshJvm.command(program, "-XX:TieredStopAtLevel=1", "-XX:-CreateCoredumpOnCrash"));
    command.addAll(List.of(arguments));
    File path = new File(terminal.path());
    return new PtyProgram(
        new ProcessBuilder(command)
            .redirectInput(path)
            .redirectOutput(path)
            .redirectError(path)
            .start());
  }

  int end() throws Exception {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
