// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A running server, on its core, and the load on the other.
final class EchoServer implements AutoCloseable {
  private final EchoPeer peer;
  private final EchoOptions options;
  private final Process process;
  private final String description;
  private final String port;

  private EchoServer(
      EchoPeer peer, EchoOptions options, Process process, String description, String port) {
    this.peer = peer;
    this.options = options;
    this.process = process;
    this.description = description;
    this.port = port;
  }

  /// Returns when the server has told its port.
  static EchoServer start(EchoPeer peer, EchoOptions options) throws IOException {
    Process process = onCore(options.serverCore(), peer.command(options.bin())).start();
    // The reader is left open with the process: nothing more is printed.
    BufferedReader out = process.inputReader();
    String description = out.readLine();
    String port = out.readLine();
    if (port == null) {
      process.destroy();
      throw new IOException(peer.label() + " did not start");
    }
    return new EchoServer(peer, options, process, description, port);
  }

  String description() {
    return description;
  }

  /// Loads the server with that many messages, and then measures for that long.
  EchoSample load(EchoCase load, long warmUpMessages, long millis)
      throws IOException, InterruptedException {
    List<Object> command =
        List.of(
            options.bin().resolve("load"),
            port,
            load.connections(),
            load.bytes(),
            warmUpMessages,
            millis,
            process.pid());
    Process client = onCore(options.loadCore(), command).start();
    String line = client.inputReader().readLine();
    if (client.waitFor() != 0 || line == null) {
      throw new IOException("the load on " + peer.label() + " failed");
    }
    return EchoSample.parse(peer, line);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  private static ProcessBuilder onCore(int core, List<?> command) {
    List<String> pinned = new ArrayList<>(List.of("taskset", "-c", String.valueOf(core)));
    command.forEach(part -> pinned.add(part.toString()));
    return new ProcessBuilder(pinned).redirectError(ProcessBuilder.Redirect.INHERIT);
  }
}
