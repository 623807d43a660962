// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.Needed;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A server of NATS on the loopback, with JetStream on a disk of its own, which can be killed,
/// stopped and started again.
final class NatsServer implements AutoCloseable {
  /// Its standard input ends with this JVM, however that ends, and then the server is ended.
  private static final String UNTIL_END_OF_INPUT =
      "\"$@\" 2>&1 & echo \"pid $!\"; exec >/dev/null 2>&1; cat; kill -KILL $!; wait $!";

  private static final int TRIES = 10;

  private final Path folder;
  private final List<String> more;
  private int port;
  private Process process;
  private long pid;

  private NatsServer(Path folder, List<String> more) {
    this.folder = folder;
    this.more = more;
  }

  static NatsServer open(String... more) throws Exception {
    NatsServer server = new NatsServer(Files.createTempDirectory("couv-nats"), List.of(more));
    for (int i = 0; i < TRIES; i++) {
      server.port = freePort();
      if (server.launch()) {
        return server;
      }
    }
    throw new AssertionError("no server of NATS starts");
  }

  /// So many that know each other.
  static List<NatsServer> openCluster(int count) throws Exception {
    List<Integer> routes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      routes.add(freePort());
    }
    String known =
        String.join(",", routes.stream().map(each -> "nats://127.0.0.1:" + each).toList());
    List<NatsServer> servers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      servers.add(
          open(
              "--server_name",
              "s" + i,
              "--cluster_name",
              "tests",
              "--cluster",
              "nats://127.0.0.1:" + routes.get(i),
              "--routes",
              known));
    }
    return servers;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private boolean launch() throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                UNTIL_END_OF_INPUT,
                "sh",
                Needed.program("nats-server"),
                "--addr",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--jetstream",
                "--store_dir",
                folder.toString()));
    command.addAll(more);
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    BufferedReader output = process.inputReader();
    for (String line; (line = output.readLine()) != null; ) {
      if (line.startsWith("pid ")) {
        pid = Long.parseLong(line.substring(4));
      }
      if (line.contains("Server is ready") || line.contains("Listening for client connections")) {
        Thread.ofPlatform().daemon().name("server-output").start(() -> drain(output));
        return true;
      }
      if (line.contains("[FTL]")) {
        break;
      }
    }
    end();
    return false;
  }

  private static void drain(BufferedReader output) {
    try {
      while (output.readLine() != null) {
        // so that it can write
      }
    } catch (IOException closed) {
      // it has ended
    }
  }

  int port() {
    return port;
  }

  String url() {
    return "nats://127.0.0.1:" + port;
  }

  void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
  }

  /// Ends it at once; what it keeps on its disk stays.
  void kill() throws Exception {
    signal("KILL");
    end();
  }

  /// Starts it again, with what it has kept.
  void restart() throws Exception {
    for (int i = 0; i < TRIES; i++) {
      if (launch()) {
        return;
      }
    }
    throw new AssertionError("the server does not start again");
  }

  private void end() throws IOException {
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

  @Override
  public void close() throws IOException {
    end();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
