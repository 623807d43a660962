// SPDX-License-Identifier: Apache-2.0
package dev.couv.libraries;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/// A server of others, which runs as long as this is open and this JVM lives, on a port of the loopback.
///
/// Neither of those tested can be told to take any port that is free. So one is chosen that is, and where another program
/// was quicker, the server ends at once and the next one is tried.
final class ServerProcess implements AutoCloseable {
  private static final int PORTS = 10;

  /// A directory that every user may be in.
  private static final File ROOT = new File("/");

  /// Its standard input ends with this JVM, however that ends, and then the server is told to end.
  private static final String UNTIL_END_OF_INPUT =
      "signal=$1; shift; \"$@\" & exec >/dev/null 2>&1; cat; kill -$signal $!; wait $!";

  private final int port;
  private final Process process;

  private ServerProcess(int port, Process process) {
    this.port = port;
    this.process = process;
  }

  /// `command` makes the command for a port, and `ready` is what the server prints when it listens.
  static ServerProcess start(String signal, String ready, IntFunction<List<String>> command)
      throws IOException {
    List<String> said = new ArrayList<>();
    for (int i = 0; i < PORTS; i++) {
      int port = freePort();
      Process process = launch(signal, command.apply(port));
      BufferedReader output = process.inputReader();
      for (String line; (line = output.readLine()) != null; ) {
        said.add(line);
        if (line.contains(ready)) {
          Thread.ofPlatform().daemon().name("server-output").start(() -> drain(output));
          return new ServerProcess(port, process);
        }
      }
      new ServerProcess(port, process).close();
    }
    throw new AssertionError("no server:\n" + String.join("\n", said));
  }

  private static Process launch(String signal, List<String> command) throws IOException {
    List<String> whole = new ArrayList<>(List.of("sh", "-c", UNTIL_END_OF_INPUT, "sh", signal));
    whole.addAll(command);
    return new ProcessBuilder(whole).directory(ROOT).redirectErrorStream(true).start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /// A server whose output nobody reads would stop at its next line.
  private static void drain(BufferedReader output) {
    try {
      while (output.readLine() != null) {
        // it has said what we wanted to know
      }
    } catch (IOException closed) {
      // it has ended
    }
  }

  int port() {
    return port;
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("the server does not end");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Runs a program to its end.
  static void run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).directory(ROOT).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError(said);
    }
  }

  static void removeTree(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path each, IOException failure)
              throws IOException {
            Files.delete(each);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
