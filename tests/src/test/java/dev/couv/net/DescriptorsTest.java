// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.FreshJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Descriptors run out, in a process of their own: the listener tells it, waits without spinning, and
/// goes on when there are some again.
@Tag("jvm")
final class DescriptorsTest {
  private static final int LIMIT = 300; // the VM has one for each jar of the class path

  /// The server, with the port it listens at.
  private record Server(Process process, BufferedReader output, int port) implements AutoCloseable {
    static Server start(String... arguments) throws Exception {
      List<String> command = new ArrayList<>(List.of("sh", "-c"));
      command.add("ulimit -n " + LIMIT + "; exec \"$@\"");
      command.add("sh");
      command.addAll(FreshJvm.command(DescriptorsProgram.class));
      command.addAll(List.of(arguments));
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      BufferedReader output = process.inputReader();
      String line = output.readLine();
      assertTrue(line != null && line.startsWith("port "), "no port: " + line);
      return new Server(process, output, Integer.parseInt(line.substring(5)));
    }

    Socket dial() throws Exception {
      return dial(port);
    }

    static Socket dial(int port) throws Exception {
      Socket socket = new Socket();
      socket.connect(new InetSocketAddress("127.0.0.1", port), 60_000);
      socket.setSoTimeout(60_000);
      return socket;
    }

    /// That it comes to rest, using no more than a fraction of a processor for a while. The first
    /// moments do not count: a young VM still compiles what just ran. One that spins never rests.
    void assertIsQuiet() throws Exception {
      long patience = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      Duration used;
      do {
        Duration before = process.info().totalCpuDuration().orElseThrow();
        Thread.sleep(400); // what is measured is that nothing happens
        used = process.info().totalCpuDuration().orElseThrow().minus(before);
      } while (used.toMillis() >= 100 && System.nanoTime() < patience);
      assertTrue(used.toMillis() < 100, "used " + used + " of 0.4 s, again and again");
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly().onExit().join();
      output.close();
      process.getOutputStream().close();
    }
  }

  @Test
  void acceptTellsOnceWaitsAndServesEverybodyWhenOthersHaveLeft() throws Exception {
    try (Server server = Server.start()) {
      List<Socket> peers = new ArrayList<>();
      for (int i = 0; i < LIMIT + 100; i++) {
        peers.add(server.dial());
      }

      assertEquals("EMFILE accept", server.output.readLine());
      server.assertIsQuiet();
      for (Socket peer : peers) {
        assertEquals(1, peer.getInputStream().read(), "each of them is served");
        peer.close();
      }

      try (Socket later = server.dial()) {
        assertEquals(1, later.getInputStream().read());
      }
      assertTrue(server.process.isAlive());
    }
  }

  /// Each that leaves makes room for one. Those that get it must not have the numbers that are kept free, or there are
  /// none left in the end, and libuv drops who waits.
  @Test
  void connectionsThatStayDoNotUseUpTheReserve() throws Exception {
    try (Server server = Server.start()) {
      List<Socket> peers = new ArrayList<>();
      for (int i = 0; i < LIMIT + 20; i++) {
        peers.add(server.dial());
      }
      assertEquals("EMFILE accept", server.output.readLine());
      server.assertIsQuiet();

      for (int i = 0; i < 40; i++) {
        int before = served(peers);
        peers.removeFirst().close();
        long patience = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (served(peers) < before && System.nanoTime() < patience) {
          Thread.sleep(5); // another process
        }
        assertEquals(before, served(peers), "another is served instead");
      }
      leaveWhenServed(peers);
    }
  }

  private static int served(List<Socket> peers) throws IOException {
    int served = 0;
    for (Socket peer : peers) {
      served += peer.getInputStream().available();
    }
    return served;
  }

  /// In the order in which they are served: one loop may have taken all descriptors, and leave none to the others.
  private static void leaveWhenServed(List<Socket> peers) throws Exception {
    List<Socket> left = new ArrayList<>(peers);
    long patience = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!left.isEmpty()) {
      Socket next = left.getFirst();
      for (Socket peer : left) {
        next = peer.getInputStream().available() > 0 ? peer : next;
      }
      if (next.getInputStream().available() > 0 || System.nanoTime() > patience) {
        assertEquals(1, next.getInputStream().read(), "each of them is served");
        next.close();
        left.remove(next);
      } else {
        Thread.sleep(5); // another process
      }
    }
  }

  @Test
  void descriptorsThatOthersTookDoNotStopTheListenerForEver() throws Exception {
    try (Server server = Server.start("eat")) {
      assertEquals("eaten", server.output.readLine());
      try (Socket _ = server.dial();
          Socket _ = server.dial()) {
        server.assertIsQuiet();
      }
      server.process.getOutputStream().write('\n');
      server.process.getOutputStream().flush();
      for (String line = ""; !"freed".equals(line); ) {
        line = server.output.readLine();
        assertTrue("freed".equals(line) || "EMFILE accept".equals(line), line);
      }

      try (Socket later = server.dial()) {
        assertEquals(1, later.getInputStream().read());
      }
    }
  }

  @Test
  void thePortOfAPoolIsServedAgainWhenOthersHaveLeft() throws Exception {
    try (Server server = Server.start("pool")) {
      int second = Integer.parseInt(server.output.readLine().substring(5));
      for (int port : List.of(server.port, second)) {
        List<Socket> peers = new ArrayList<>();
        for (int i = 0; i < LIMIT + 50; i++) {
          peers.add(Server.dial(port));
        }
        leaveWhenServed(peers);
        try (Socket later = Server.dial(port)) {
          assertEquals(1, later.getInputStream().read());
        }
      }
      assertTrue(server.process.isAlive());
    }
  }
}
