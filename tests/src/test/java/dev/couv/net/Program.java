// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.Needed;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A program that nobody here wrote, to talk to. What it says is its output and errors together. One
/// that hangs is ended after a while.
///
/// Its methods block: a coroutine whose loop the program needs calls them through `Loop.offload`.
public final class Program implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 240;

  private final List<String> command;
  private final Process process;
  private final BufferedReader output;

  private Program(List<String> command, Process process) {
    this.command = command;
    this.process = process;
    this.output = process.inputReader(UTF_8);
  }

  /// One that is named without a slash must be in the list of what the tests need: if it is not there, that fails at once.
  public static Program start(String... command) throws IOException {
    if (command[0].indexOf('/') < 0) {
      Needed.program(command[0]);
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process
        .onExit()
        .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
        .exceptionally(
            late -> {
              process.destroyForcibly();
              return process;
            });
    return new Program(List.of(command), process);
  }

  /// Writes to its standard input.
  public void say(String text) throws IOException {
    process.getOutputStream().write(text.getBytes(UTF_8));
    process.getOutputStream().flush();
  }

  public void endInput() throws IOException {
    process.getOutputStream().close();
  }

  /// Its next line that contains the text; what is before it is passed over.
  public String line(String containing) throws IOException {
    StringBuilder before = new StringBuilder();
    for (String line; (line = output.readLine()) != null; ) {
      if (line.contains(containing)) {
        return line;
      }
      before.append(line).append('\n');
    }
    throw new IOException(command + " ended without \"" + containing + "\": " + before);
  }

  /// Waits for its end: what it has not been asked for yet, with its status in front.
  public String end() throws IOException {
    StringBuilder rest = new StringBuilder();
    for (String line; (line = output.readLine()) != null; ) {
      rest.append(line).append('\n');
    }
    int status = process.onExit().join().exitValue();
    return status + "\n" + rest;
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    try {
      process.getOutputStream().close();
    } catch (IOException broken) {
      // it ended without having read everything
    }
    output.close();
    process.getErrorStream().close();
  }
}
