// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A server that runs, on its core. What it prints is in a file.
final class RunningServer implements AutoCloseable {
  private static final long START_MILLIS = 60_000;

  /// What the kernel counts CPU time of processes in, for everybody who asks (`USER_HZ`).
  private static final long TICK_NANOS = 10_000_000;

  private final Contender contender;
  private final Process process;
  private final int port;

  private RunningServer(Contender contender, Process process, int port) {
    this.contender = contender;
    this.process = process;
    this.port = port;
  }

  /// Returns when it takes connections.
  static RunningServer start(Contender contender, int core, Path logs)
      throws IOException, InterruptedException {
    int port = freePort();
    Path log = logs.resolve(contender.label() + ".log");
    ProcessBuilder builder =
        onCore(core, contender.command().apply(port))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    RunningServer server = new RunningServer(contender, builder.start(), port);
    try {
      server.awaitPort(log);
    } catch (Throwable failed) {
      server.close();
      throw failed;
    }
    return server;
  }

  private void awaitPort(Path log) throws IOException, InterruptedException {
    long deadline = System.currentTimeMillis() + START_MILLIS;
    while (true) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
        return;
      } catch (IOException notYet) {
        if (!process.isAlive() || System.currentTimeMillis() > deadline) {
          throw new IOException(contender.label() + " did not start, see " + log, notYet);
        }
        Thread.sleep(50);
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }

  static ProcessBuilder onCore(int core, List<String> command) {
    List<String> pinned = new ArrayList<>(List.of("taskset", "-c", String.valueOf(core)));
    pinned.addAll(command);
    return new ProcessBuilder(pinned);
  }

  Contender contender() {
    return contender;
  }

  int port() {
    return port;
  }

  /// Of all its threads, also those that have ended.
  long cpuNanos() throws IOException {
    String stat = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
    // The second field is the program's name, in parentheses and with whatever is in it.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_NANOS;
  }

  /// What it has of the machine's memory, in MiB.
  double residentMebibytes() throws IOException {
    Path status = Path.of("/proc", String.valueOf(process.pid()), "status");
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
      }
    }
    throw new IOException(status + " does not tell its VmRSS");
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
