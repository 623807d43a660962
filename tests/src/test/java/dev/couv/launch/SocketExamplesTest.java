// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The examples about datagrams and passed sockets, as a visitor runs them.
@Tag("jvm")
class SocketExamplesTest {
  private static final int PATIENCE_MILLIS = 120_000;

  @Test
  void timeserviceTellsTheTimeOfAZone() throws Exception {
    try (var service = new Cli().start("run", "examples/timeservice.java");
        var client = new DatagramSocket()) {
      int port = service.port();
      client.setSoTimeout(PATIENCE_MILLIS);

      assertTrue(ask(client, port, "Europe/Lisbon\n").endsWith("[Europe/Lisbon]\n"));
      assertTrue(ask(client, port, "").endsWith("Z\n"));
      assertEquals("no zone Nowhere/AtAll\n", ask(client, port, "Nowhere/AtAll"));

      assertEquals("told 127.0.0.1", service.line());
      service.signal("INT");
      assertEquals(130, service.end().status());
    }
  }

  private static String ask(DatagramSocket client, int port, String question) throws Exception {
    byte[] bytes = question.getBytes(UTF_8);
    client.send(new DatagramPacket(bytes, bytes.length, InetAddress.ofLiteral("127.0.0.1"), port));
    DatagramPacket answer = new DatagramPacket(new byte[500], 500);
    client.receive(answer);
    return new String(answer.getData(), 0, answer.getLength(), UTF_8);
  }

  @Test
  void handoverLetsItsChildTalkToTheClients() throws Exception {
    try (var parent = new Cli().start("run", "examples/handover.java")) {
      int port = parent.port();

      for (int i = 0; i < 2; i++) {
        try (var client = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
          client.setSoTimeout(PATIENCE_MILLIS);
          var input =
              new java.io.BufferedReader(
                  new java.io.InputStreamReader(client.getInputStream(), UTF_8));
          String greeting = input.readLine();
          assertTrue(greeting.matches("process \\d+ at your service"), greeting);
          assertNotEquals("process " + parent.process().pid() + " at your service", greeting);
          client.getOutputStream().write("hello\n".getBytes(UTF_8));
          assertEquals("hello", input.readLine());
        }
        assertEquals("handed over a client from 127.0.0.1", parent.line());
      }

      parent.signal("INT");
      assertEquals(130, parent.end().status());
    }
  }
}
