// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Status;
import java.net.InetSocketAddress;
import java.net.URI;
import org.junit.jupiter.api.Test;

/// A loop that ends takes its WebSockets along, on both sides, and a client's connections.
class WebSocketLoopEndTest {
  @Test
  void nothingIsLeftOfSocketsAndClientsWhoseLoopIsClosed() {
    try (Loop loop = Loop.open()) {
      var main =
          loop.spawn(
              () -> {
                HttpServer server = HttpServer.open(new InetSocketAddress("127.0.0.1", 0));
                server.webSocket(
                    "/",
                    socket -> {
                      for (var message : socket) {
                        socket.send(message.text());
                      }
                    });
                server.route("GET", "/text", _ -> Response.text("text"));
                Coroutine.spawn(server::serve);
                String authority = "127.0.0.1:" + server.local().getPort();
                WebSocket socket = WebSocket.connect(URI.create("ws://" + authority));
                socket.send("hello".repeat(100));
                int length = socket.receive().text().length();
                Coroutine.spawn(() -> socket.receive());
                WebClient client = WebClient.open();
                String text = client.get("http://" + authority + "/text").text(10);
                Loop.awaitIdle();
                loop.halt();
                return text + length + client.idle();
              });
      loop.run(Mode.LOOP);

      assertEquals(Status.DONE, main.status());
    }
  }
}
