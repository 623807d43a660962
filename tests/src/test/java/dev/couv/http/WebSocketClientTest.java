// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.http.WebSocketOptions.Compression;
import dev.couv.http.socket.Keys;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.stream.ByteReader;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A client's WebSocket against servers that do not keep to the rules.
@InLoop
class WebSocketClientTest {
  private static final String RIGHT =
      """
      HTTP/1.1 101 Switching Protocols\r
      Upgrade: WebSocket\r
      Connection: upgrade\r
      Sec-WebSocket-Accept: $accept\r
      """;

  private interface Server {
    void run(RawSocket socket) throws Exception;
  }

  private static URI uri(TcpListener listener) {
    return URI.create("ws://127.0.0.1:" + listener.local().getPort() + "/");
  }

  /// A server that answers one handshake so, and goes on.
  private static TcpListener server(String answer, Server then) throws IOException {
    TcpListener listener = Tcp.listen(new InetSocketAddress("127.0.0.1", 0));
    Coroutine.spawn(
        () -> {
          try (var stream = listener.accept()) {
            ByteReader in = ByteReader.of(stream);
            String key = "";
            for (String line; !(line = in.readLine()).isEmpty(); ) {
              if (line.startsWith("Sec-WebSocket-Key: ")) {
                key = line.substring(19);
              }
            }
            stream.write(answer.replace("$accept", Keys.accept(key)));
            then.run(new RawSocket(stream, in, false));
          }
        });
    return listener;
  }

  private static void refused(String answer, WebSocketOptions options) throws Exception {
    try (var listener = server(answer, socket -> {})) {
      assertThrows(ProtocolException.class, () -> WebSocket.connect(uri(listener), options));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: ws://elsewhere/\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
        "HTTP/1.1 101 X\r\nUpgrade: h2c\r\nConnection: upgrade\r\n"
            + "Sec-WebSocket-Accept: $accept\r\n\r\n",
        "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: $accept\r\n\r\n",
        "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
            + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
      })
  void whatIsNoWebSocketIsRefused(String answer) throws Exception {
    refused(answer, WebSocketOptions.DEFAULT);
  }

  @Test
  void whatWasNotOfferedIsRefused() throws Exception {
    var none = WebSocketOptions.DEFAULT.withCompression(Compression.NONE);
    refused(RIGHT + "Sec-WebSocket-Protocol: chat\r\n\r\n", none);
    refused(RIGHT + "Sec-WebSocket-Protocol: b\r\n\r\n", none.withProtocols("a"));
    refused(RIGHT + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n", none);
    refused(
        RIGHT + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n", WebSocketOptions.DEFAULT);
    refused(
        RIGHT + "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=9\r\n\r\n",
        none.withCompression(Compression.CONTEXT));
    refused(
        RIGHT + "Sec-WebSocket-Extensions: permessage-deflate, permessage-deflate\r\n\r\n",
        none.withCompression(Compression.CONTEXT));
    refused(RIGHT + "Sec-WebSocket-Extensions: ;\r\n\r\n", WebSocketOptions.DEFAULT);
  }

  @Test
  void framesBehindTheAnswerAreTheFirst() throws Exception {
    String early = "\u0001\u0005early"; // a first piece, in the same write
    try (var listener =
            server(
                RIGHT + "\r\n" + early,
                socket -> {
                  socket.send(0x80, " and late");
                  socket.send(0x88, "");
                  socket.read();
                });
        var socket = WebSocket.connect(uri(listener))) {
      assertEquals("early and late", socket.receive().text());
      assertEquals(null, socket.receive());
    }
  }

  @Test
  void aServerDoesNotMask() throws Exception {
    try (var listener =
            server(
                RIGHT + "\r\n",
                socket -> {
                  socket.bytes(0x81, 0x81, 0, 0, 0, 0, 'a');
                  assertEquals(1002, socket.read().code());
                });
        var socket = WebSocket.connect(uri(listener))) {
      var broken = assertThrows(WebSocketException.class, socket::receive);
      assertEquals(1002, broken.code());
      assertEquals(1002, assertThrows(WebSocketException.class, socket::receive).code());
      assertThrows(WebSocketException.class, () -> socket.send("a"));
    }
  }

  @Test
  void masksAreNotTheSameTwice() throws Exception {
    try (var listener =
            server(
                RIGHT + "\r\n",
                socket -> {
                  assertEquals("a", socket.read().text());
                  assertEquals("a", socket.read().text());
                  socket.send(0x88, "");
                  socket.read();
                });
        var socket = WebSocket.connect(uri(listener))) {
      socket.send("a");
      socket.send("a");
      assertEquals(null, socket.receive());
      assertEquals(1005, socket.closeCode());
    }
  }

  @Test
  void anEndlessHeadIsRefused() throws Exception {
    refused("HTTP/1.1 101 X\r\n" + "X: yyyyyyyyyyyyyyyyyyyyyyyyy\r\n".repeat(2000), options());
    refused("H".repeat(100_000), options());
  }

  private static WebSocketOptions options() {
    return WebSocketOptions.DEFAULT;
  }

  @Test
  void aServerThatDoesNotAnswerIsGivenUp(TestClock clock) throws Exception {
    try (var listener = server("", socket -> assertTrue(socket.hasEnded()))) {
      assertThrows(SocketTimeoutException.class, () -> WebSocket.connect(uri(listener)));
      assertEquals(30, clock.elapsed().toSeconds());
    }
  }

  @Test
  void aServerThatIsNotThereIsTold() throws Exception {
    URI nowhere;
    try (var listener = Tcp.listen(new InetSocketAddress("127.0.0.1", 0))) {
      nowhere = uri(listener);
    }
    assertThrows(ConnectException.class, () -> WebSocket.connect(nowhere));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://here/", "ws:///path", "ws://user:secret@here/", "/path", "ws:a"})
  void whatIsNoUriOfAWebSocketIsRefused(String uri) {
    assertThrows(IllegalArgumentException.class, () -> WebSocket.connect(URI.create(uri)));
  }
}
