// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.http.WebSocket;
import dev.couv.http.WebSocketMessage;
import dev.couv.http.WebSocketOptions;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The chat for browsers in `examples`, with a browser.
@Tag("jvm")
@InLoop
class WebChatExampleTest {
  @TempDir private Path directory;

  private static Cli.Running start() throws Exception {
    return new Cli().withHttp().start("run", "examples/webchat.java");
  }

  /// The page that it names.
  private static String page(Cli.Running chat) throws IOException {
    return chat.line().split(",")[0];
  }

  @Test
  void twoPagesOfABrowserTalk() throws Exception {
    try (var chat = start();
        var browser = new Browser(directory)) {
      String url = page(chat);
      try (var ada = browser.open(url);
          var bob = browser.open(url)) {
        ada.type("ada");
        ada.awaitLine("ada comes");
        bob.type("ada");
        bob.awaitLine("that name is taken");
        bob.type("bob");
        bob.awaitLine("with you: ada");
        ada.awaitLine("bob comes");

        bob.type("hello <b>there</b> & \"you\"");
        ada.awaitLine("bob hello <b>there</b> & \"you\"");
        ada.type("grüße 👋");
        bob.awaitLine("ada grüße 👋");
        ada.awaitTrue("document.querySelectorAll('#lines b b').length == 0");
        ada.awaitTrue("document.querySelectorAll('p.mine').length == 1");
      }
      // Their pages are closed, and so are their sockets.
      assertTrue(chat.line("leaves").startsWith("leaves "));
      assertTrue(chat.line("leaves").startsWith("leaves "));
    }
  }

  @Test
  void aGuestWhoDoesNotReadIsShownOutAndKeepsNobodyWaiting() throws Exception {
    try (var chat = start()) {
      URI page = URI.create(page(chat));
      try (var slow = new Socket()) {
        slow.setReceiveBufferSize(4096);
        slow.connect(new InetSocketAddress(page.getHost(), page.getPort()));
        slow.getOutputStream().write(handshake(page, "slow").getBytes(UTF_8));
        chat.line("comes slow");
        try (var quick = connect(page, "quick")) {
          var told = Coroutine.spawn(() -> Loop.offload(() -> chat.line("leaves slow")));
          // More than the system holds for a socket that is not read.
          String much = "much ".repeat(700);
          for (String heard = ""; !heard.startsWith("leaves\tslow"); heard = text(quick)) {
            assertTrue(quick.isOpen(), heard);
            if (heard.isEmpty() || heard.startsWith("says")) {
              quick.send(much);
            }
          }
          told.await();
        }
      }
    }
  }

  @Test
  void aNameThatIsNoneIsRefused() throws Exception {
    try (var chat = start()) {
      URI page = URI.create(page(chat));
      for (String name : List.of("", "%20", "%0A", "x".repeat(21))) {
        try (var socket = connect(page, name)) {
          assertEquals(null, socket.receive());
          assertEquals(4000, socket.closeCode());
          assertEquals("a name has 1 to 20 letters", socket.closeReason());
        }
      }
      try (var socket = connect(page, "x".repeat(20))) {
        assertEquals("here\t\t", text(socket));
        assertEquals("comes\t" + "x".repeat(20) + "\t", text(socket));
      }
    }
  }

  private static String text(WebSocket socket) throws IOException {
    WebSocketMessage message = socket.receive();
    return message == null ? "closed" : message.text();
  }

  private static WebSocket connect(URI page, String name) throws IOException {
    return WebSocket.connect(
        URI.create("ws://" + page.getAuthority() + "/room?name=" + name),
        WebSocketOptions.DEFAULT.withCompression(WebSocketOptions.Compression.NONE));
  }

  private static String handshake(URI page, String name) {
    return """
    GET /room?name=%s HTTP/1.1\r
    Host: %s\r
    Connection: Upgrade\r
    Upgrade: websocket\r
    Sec-WebSocket-Version: 13\r
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
    \r
    """
        .formatted(name, page.getAuthority());
  }
}
