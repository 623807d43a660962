// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Loop;
import dev.couv.net.Program;
import dev.couv.testing.InLoop;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/// A server's WebSocket with clients that nobody here wrote: that of browsers, as Node has it, and the JDK's.
@InLoop
class WebSocketCounterpartsTest {
  private static final String BROWSER =
      """
      const socket = new WebSocket(process.argv[1], ['chat', 'echo']);
      socket.binaryType = 'arraybuffer';
      const said = ['hello', 'ünïcödé €', '', 'x'.repeat(200000), new Uint8Array([0, 255, 7])];
      let next = 0;
      socket.onopen = () => {
        console.log('open', socket.protocol, socket.extensions);
        for (const message of said) socket.send(message);
      };
      socket.onmessage = event => {
        const want = said[next++];
        const same = typeof want === 'string'
          ? want === event.data
          : Buffer.compare(Buffer.from(want), Buffer.from(event.data)) === 0;
        console.log(same ? 'same' : 'different', next);
        if (next === said.length) socket.close(4001, 'done');
      };
      socket.onclose = event => console.log('closed', event.code, event.reason, event.wasClean);
      socket.onerror = event => console.log('error', event.message);
      """;

  private static HttpFixture serve() throws Exception {
    return HttpFixture.open(
        server ->
            server.webSocket(
                "/echo",
                WebSocketOptions.DEFAULT.withProtocols("echo"),
                socket -> {
                  for (var message : socket) {
                    if (message.isText()) {
                      socket.send(message.text());
                    } else {
                      socket.send(message.bytes());
                    }
                  }
                }));
  }

  @Test
  void theBrowsersWebSocket() throws Exception {
    try (var http = serve()) {
      String uri = "ws://127.0.0.1:" + http.address().getPort() + "/echo";
      String printed =
          Loop.offload(
              () -> {
                try (var node =
                    Program.start("node", "--experimental-websocket", "-e", BROWSER, uri)) {
                  return node.end();
                }
              });

      assertTrue(printed.contains("open echo permessage-deflate"), printed);
      assertTrue(printed.contains("same 5"), printed);
      assertTrue(printed.contains("closed 4001  true"), printed);
    }
  }

  @Test
  void theWebSocketOfTheJdk() throws Exception {
    try (var http = serve();
        var client = HttpClient.newHttpClient()) {
      URI uri = URI.create("ws://127.0.0.1:" + http.address().getPort() + "/echo");
      var echoed = new CompletableFuture<String>();
      var ponged = new CompletableFuture<Boolean>();
      var closed = new CompletableFuture<Integer>();
      var socket =
          Await.stage(
              client
                  .newWebSocketBuilder()
                  .buildAsync(
                      uri,
                      new java.net.http.WebSocket.Listener() {
                        private final StringBuilder text = new StringBuilder();

                        @Override
                        public CompletionStage<?> onText(
                            java.net.http.WebSocket from, CharSequence data, boolean last) {
                          text.append(data);
                          if (last) {
                            echoed.complete(text.toString());
                          }
                          from.request(1);
                          return null;
                        }

                        @Override
                        public CompletionStage<?> onPong(
                            java.net.http.WebSocket from, ByteBuffer message) {
                          ponged.complete(message.remaining() == 3);
                          from.request(1);
                          return null;
                        }

                        @Override
                        public CompletionStage<?> onClose(
                            java.net.http.WebSocket from, int code, String reason) {
                          closed.complete(code);
                          return null;
                        }
                      }));
      Await.stage(socket.sendText("in two ", false));
      Await.stage(socket.sendPing(ByteBuffer.allocate(3)));
      Await.stage(socket.sendText("pieces", true));

      assertEquals("in two pieces", Await.stage(echoed));
      assertTrue(Await.stage(ponged));
      Await.stage(socket.sendClose(1000, "bye"));
      assertEquals(1000, Await.stage(closed));
    }
  }
}
