// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.CapturedLog;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.http.HttpFixture.Talk;
import dev.couv.net.TcpPair;
import dev.couv.net.TlsFiles;
import dev.couv.net.TlsOptions;
import dev.couv.stream.ByteReader;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a server that ends still owes to its clients, and what it does not wait for.
@InLoop
class ServerEndTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  // ---- answers on their way

  /// The head was gone before it was known that nothing may follow. What the client has no room for is with the server's kernel.
  @Test
  void anAnswerIsNotLostToARequestBehindIt() throws Exception {
    Gate gate = new Gate();
    Content.Writing writing =
        out -> {
          out.write("one");
          out.flush();
          gate.await();
          out.write(new byte[200_000]);
        };
    try (var http =
            HttpFixture.open(
                server -> server.route("GET", "/", _ -> Response.stream("x/y", writing)));
        Talk talk = http.talk()) {
      talk.stream.receiveBuffer(4096);
      assertEquals("", HttpFixture.field(talk.say(GET).head(), "connection"));
      http.server.close();
      talk.say(GET);
      Loop.awaitIdle();
      gate.open();

      Loop.awaitIdle();

      String rest = talk.rest();
      assertTrue(rest.endsWith("\0\r\n0\r\n\r\n"), () -> "after " + rest.length() + " bytes");
    }
  }

  /// It lies with the writer until the turn ends: its connection looks idle by then.
  @Test
  void anAnswerThatIsNotWithTheKernelYetIsNotLost() throws Exception {
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "GET",
                        "/",
                        _ -> {
                          Coroutine.spawn(server::close);
                          return Response.text("bye");
                        }));
        Talk talk = http.talk()) {
      talk.say(GET);

      assertTrue(talk.rest().endsWith("bye"));
    }
  }

  @Test
  void aClientOfHttp2ThatStillReadsHasTime(TestClock clock) throws Exception {
    try (var http =
            HttpFixture.open(
                server -> server.route("GET", "/", _ -> Response.bytes("x/y", new byte[50_000])));
        var client = RawTwo.open(http)) {
      client.get(1, "/").await(RawTwo.HEADERS);
      http.server.close();
      for (int i = 0; i < 5; i++) {
        Time.sleep(Duration.ofMillis(1500));
        client.window(0, 10_000);
      }

      assertEquals(50_000, client.answer(1).body.length());
      assertEquals(0, client.farewell());
      assertTrue(clock.elapsed().toSeconds() < 8);
    }
  }

  @Test
  void butNotForEver(TestClock clock) throws Exception {
    var limits = HttpLimits.DEFAULT.withSendTime(Duration.ofSeconds(5));
    var options = ServerOptions.DEFAULT.withLimits(limits).withGrace(Duration.ofMinutes(1));
    try (var http = HttpFixture.simple(options);
        var client = RawTwo.open(http)) {
      client.get(1, "/").answer(1);
      http.server.close();

      assertThrows(
          IOException.class,
          () -> {
            while (clock.elapsed().toSeconds() < 30) {
              client.window(0, 1);
              Time.sleep(Duration.ofSeconds(1));
            }
          });
      assertTrue(clock.elapsed().toSeconds() < 10, () -> "after " + clock.elapsed());
    }
  }

  // ---- handshakes

  @Test
  void whoHasNotEndedItsHandshakeIsNotWaitedFor(TestClock clock) throws Exception {
    var secure = ServerOptions.DEFAULT.withTls(TlsFiles.context("server"));
    try (var log = new CapturedLog()) {
      var http = HttpFixture.simple(secure);
      try (Talk silent = http.talk();
          Talk slow = http.talk()) {
        slow.say("\26\3\1");
        Loop.awaitIdle();
        http.close();

        assertEquals("", silent.rest());
        assertEquals("", slow.rest());
      }
      assertEquals(List.of(), log.messages());
    }
    assertEquals(0, clock.elapsed().toSeconds());
  }

  @Test
  void aHandshakeHasTheTimeOfAHead(TestClock clock) throws Exception {
    var secure = ServerOptions.DEFAULT.withTls(TlsFiles.context("server"));
    for (Duration given : Arrays.asList(Duration.ofMinutes(1), Duration.ofSeconds(7), null)) {
      Duration before = clock.elapsed();
      var tls = TlsOptions.DEFAULT.withHandshakeTimeout(given);
      try (var http = HttpFixture.simple(secure.withTlsOptions(tls));
          Talk silent = http.talk()) {
        assertEquals("", silent.rest());
      }
      long seconds = clock.elapsed().minus(before).toSeconds();
      assertEquals(given != null && given.toSeconds() == 7 ? 7 : 10, seconds);
    }
  }

  // ---- upgrades

  @Test
  void aWebSocketIsNotOpenedAnyMore() throws Exception {
    Gate gate = new Gate();
    try (var http =
            HttpFixture.open(
                server ->
                    server
                        .filter(
                            (request, next) -> {
                              gate.await();
                              return next.handle(request);
                            })
                        .webSocket("/echo", WebSocket::receive));
        Talk talk = http.talk()) {
      talk.say(RawSocket.HANDSHAKE + "\r\n");
      Loop.awaitIdle();
      http.server.close();
      gate.open();

      String head = talk.head();
      assertTrue(head.startsWith("HTTP/1.1 503 "), head);
      assertEquals("close", HttpFixture.field(head, "connection"));
      assertEquals("the server ends\n", talk.rest());
    }
  }

  /// The answer to its handshake was on its way already.
  @Test
  void oneThatIsOpenedAllTheSameIsTold() throws Exception {
    WebSocketRoute route =
        new WebSocketRoute(WebSocketOptions.DEFAULT, WebSocket::receive, (_, _) -> {});
    Headers asking =
        Headers.of(
            "Upgrade", "websocket",
            "Connection", "upgrade",
            "Sec-WebSocket-Version", "13",
            "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
    Request request =
        Request.of("GET", "/", HttpVersion.HTTP_1_1, asking, HttpBody.NONE, Peer.NOBODY);
    var upgraded = (Content.Upgraded) route.handle(request).content();
    try (TcpPair pair = TcpPair.open()) {
      route.goAway();
      var serving = Coroutine.spawn(() -> upgraded.takeover().take(pair.server()));
      RawSocket socket = new RawSocket(pair.client(), ByteReader.of(pair.client()), true);
      var heard = Coroutine.spawn(socket::read);
      Loop.awaitIdle();
      pair.client().shutdown();

      assertEquals(1001, heard.await().code());
      serving.await();
    }
  }

  /// Both have said that they close: a client that does not end its connection holds nobody up.
  @Test
  void whoHasAnsweredTheCloseOfItsWebSocketIsNotWaitedFor(TestClock clock) throws Exception {
    Duration before = clock.elapsed();
    HttpFixture http = HttpFixture.open(server -> server.webSocket("/echo", WebSocket::receive));
    try (Talk talk = http.talk()) {
      RawSocket socket = RawSocket.open(talk, "");
      Loop.awaitIdle();
      http.server.close();
      assertEquals(1001, socket.read().code());
      socket.send(0x88, RawSocket.code(1001));

      assertTrue(socket.hasEnded());
      http.close(); // waits for the server, and the client has not ended its side
    }
    assertEquals(0, clock.elapsed().minus(before).toMillis());
  }
}
