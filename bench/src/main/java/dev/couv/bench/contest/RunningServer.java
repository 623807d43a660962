// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

import java.io.IOException;
import java.io.UncheckedIOException;
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
  private final Transport transport;
  private final String address;

  private RunningServer(Contender contender, Process process, Transport transport, String address) {
    this.contender = contender;
    this.transport = transport;
    this.process = process;
    this.address = address;
  }

  /// Returns when it can be reached.
  static RunningServer start(Contender contender, Transport transport, String core, Path logs)
      throws IOException, InterruptedException {
    String address = transport.address();
    Path log = logs.resolve(contender.label() + ".log");
    ProcessBuilder builder =
        onCores(core, contender.command().apply(address))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    RunningServer server = new RunningServer(contender, start(builder), transport, address);
    try {
      server.awaitReady(log);
    } catch (Throwable failed) {
      server.close();
      throw failed;
    }
    return server;
  }

  private void awaitReady(Path log) throws IOException, InterruptedException {
    long deadline = System.currentTimeMillis() + START_MILLIS;
    while (true) {
      try {
        transport.reach(address);
        return;
      } catch (IOException notYet) {
        if (!process.isAlive() || System.currentTimeMillis() > deadline) {
          throw new IOException(contender.label() + " did not start, see " + log, notYet);
        }
        Thread.sleep(20);
      }
    }
  }

  static ProcessBuilder onCores(String cores, List<String> command) {
    List<String> pinned = new ArrayList<>(List.of("taskset", "-c", cores));
    pinned.addAll(command);
    return new ProcessBuilder(pinned);
  }

  /// It ends with us, also when the comparison is broken off.
  static Process start(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return process;
  }

  Contender contender() {
    return contender;
  }

  /// A port, or a path.
  String address() {
    return address;
  }

  long pid() {
    return process.pid();
  }

  /// Of all its threads, also those that have ended.
  long cpuNanos() throws IOException {
    String stat = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
    // The second field is the program's name, in parentheses and with whatever is in it.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_NANOS;
  }

  /// What it has of the machine's memory.
  long residentBytes() throws IOException {
    Path status = Path.of("/proc", String.valueOf(process.pid()), "status");
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    throw new IOException(status + " does not tell its VmRSS");
  }

  /// The same without what nobody needs any more, if it is a JVM: its collector runs before.
  long residentAfterCollection() throws IOException, InterruptedException {
    if (contender.isJava()) {
      String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
      Process collect =
          new ProcessBuilder(jcmd, String.valueOf(process.pid()), "GC.run")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (collect.waitFor() != 0) {
        throw new IOException(contender.label() + " did not collect its garbage");
      }
    }
    return residentBytes();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      transport.forget(address);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
