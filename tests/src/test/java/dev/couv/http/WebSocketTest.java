// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.coro.Status;
import dev.couv.error.BusyException;
import dev.couv.http.WebSocketOptions.Compression;
import dev.couv.net.TlsFiles;
import dev.couv.net.TlsOptions;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Both sides of a WebSocket, between a server and a client of ours.
@InLoop
class WebSocketTest {
  private static void echo(WebSocket socket) throws IOException {
    for (var message : socket) {
      if (message.isText()) {
        socket.send(message.text());
      } else {
        socket.send(message.bytes());
      }
    }
  }

  private static HttpFixture serve(WebSocketHandler handler) throws IOException {
    return serve(WebSocketOptions.DEFAULT, handler);
  }

  private static HttpFixture serve(WebSocketOptions options, WebSocketHandler handler)
      throws IOException {
    return HttpFixture.open(server -> server.webSocket("/{room}", options, handler));
  }

  private static URI uri(HttpFixture http) {
    return URI.create("ws://127.0.0.1:" + http.address().getPort() + "/room?user=me");
  }

  private static WebSocket connect(HttpFixture http) throws IOException {
    return WebSocket.connect(uri(http));
  }

  // ---- messages

  @ParameterizedTest
  @EnumSource(Compression.class)
  void textAndBytesComeBackHoweverTheyAreCompressed(Compression compression) throws Exception {
    WebSocketOptions options = WebSocketOptions.DEFAULT.withCompression(compression);
    try (var http = serve(options, WebSocketTest::echo);
        var socket = WebSocket.connect(uri(http), options)) {
      for (int size : new int[] {0, 1, 200, 300, 5_000, 70_000, 1_000_000}) {
        String text = "täxt ".repeat(size / 6 + 1);
        socket.send(text);
        assertEquals(text, socket.receive().text());

        byte[] bytes = new byte[size];
        new java.util.Random(size).nextBytes(bytes);
        socket.send(ByteBuffer.wrap(bytes));
        assertArrayEquals(bytes, socket.receive().bytes());
      }
    }
  }

  @Test
  void aServerKnowsWhoAsked() throws Exception {
    WebSocketOptions options =
        WebSocketOptions.DEFAULT.withProtocols("chat.v2", "chat.v1").withHeader("X-Who", "me");
    try (var http =
            serve(
                WebSocketOptions.DEFAULT.withProtocols("other", "chat.v1"),
                socket -> {
                  Request request = socket.request();
                  socket.send(
                      request.value("room")
                          + request.parameter("user")
                          + request.header("x-who")
                          + socket.protocol());
                });
        var socket = WebSocket.connect(uri(http), options)) {
      assertEquals("roommemechat.v1", socket.receive().text());
      assertEquals("chat.v1", socket.protocol());
      assertThrows(IllegalStateException.class, socket::request);
      assertNull(socket.receive());
      assertNull(socket.receive());
      assertEquals(1000, socket.closeCode());
    }
  }

  @Test
  @SuppressWarnings("try") // closing the scope waits for the senders
  void manyMaySendWhileOneReceives() throws Exception {
    try (var http = serve(WebSocketTest::echo);
        var socket =
            WebSocket.connect(
                uri(http), WebSocketOptions.DEFAULT.withCompression(Compression.CONTEXT))) {
      try (Scope senders = Scope.open()) {
        for (int i = 0; i < 20; i++) {
          String text = (i + " ").repeat(500);
          senders.spawn(
              () -> {
                for (int k = 0; k < 50; k++) {
                  socket.send(text);
                }
              });
        }
        for (int i = 0; i < 1000; i++) {
          String text = socket.receive().text();
          assertEquals((text.split(" ")[0] + " ").repeat(500), text);
        }
      }
    }
  }

  @Test
  void aSecondReceiverIsRefused() throws Exception {
    try (var http = serve(WebSocketTest::echo);
        var socket = connect(http)) {
      var first = Coroutine.spawn(() -> socket.receive());
      Loop.awaitIdle();

      assertThrows(BusyException.class, socket::receive);
      socket.send("for the first");
      assertEquals("for the first", first.await().text());
    }
  }

  @Test
  void overTls() throws Exception {
    var options = ServerOptions.DEFAULT.withTls(TlsFiles.context("server"));
    var trusting = TlsOptions.DEFAULT.withContext(TlsFiles.trusting());
    try (var http =
        HttpFixture.open(options, server -> server.webSocket("/", WebSocketTest::echo))) {
      URI uri = URI.create("wss://localhost:" + http.address().getPort());
      try (var socket = WebSocket.connect(uri, WebSocketOptions.DEFAULT.withTls(trusting))) {
        socket.send("secret");
        assertEquals("secret", socket.receive().text());
      }
    }
  }

  // ---- leaving

  @Test
  void whoIsCancelledWhileReceivingHasLostNothing() throws Exception {
    try (var http = serve(WebSocketTest::echo);
        var socket = connect(http)) {
      for (int i = 0; i < 20; i++) {
        var receiver = Coroutine.spawn(() -> socket.receive());
        socket.send("message " + i);
        for (int turns = 0; turns < i; turns++) {
          Coroutine.pause();
        }
        receiver.cancel();
        String text;
        try {
          text = receiver.await().text();
        } catch (CancellationException cancelled) {
          text = socket.receive().text();
        }
        assertEquals("message " + i, text);
      }
    }
  }

  @Test
  void whoeverIsCancelledWhileItOpensHasClosedIt() throws Exception {
    try (var http = serve(WebSocketTest::echo)) {
      for (int turns = 0; turns < 40; turns++) {
        var opening =
            Coroutine.spawn(
                () -> {
                  try (var socket = connect(http)) {
                    socket.send("x".repeat(300));
                    return socket.receive().text().length();
                  }
                });
        for (int i = 0; i < turns; i++) {
          Coroutine.pause();
        }
        opening.cancel();
        Await.settle(opening);
      }
    }
  }

  @Test
  void aMessageOfWhichAPartHasComeIsNotLostByATimeout() throws Exception {
    var texts = new ArrayList<String>();
    try (var http =
            HttpFixture.open(
                server ->
                    server.webSocket(
                        "/echo",
                        socket -> {
                          for (int i = 0; texts.size() < 2; i++) {
                            try {
                              texts.add(
                                  Time.timeout(
                                      Duration.ofMillis(1), () -> socket.receive().text()));
                            } catch (TimeoutException again) {
                              assertTrue(i < 100_000);
                            }
                          }
                        }));
        var talk = http.talk()) {
      RawSocket socket = RawSocket.open(talk, "");
      byte[] first = RawSocket.frame(0x01, true, "frag".getBytes());
      byte[] second = RawSocket.frame(0x80, true, "ment".getBytes());
      for (byte[] frame : List.of(first, second, RawSocket.frame(0x81, true, "two".getBytes()))) {
        for (byte b : frame) {
          socket.bytes(b);
          Time.sleep(Duration.ofMillis(2));
        }
      }
      assertEquals(8, socket.read().kind());
      assertEquals(List.of("fragment", "two"), texts);
      socket.send(0x88, "");
    }
  }

  @Test
  void aSenderWaitsForWhoDoesNotReceiveAndSendsNothingIfItIsCancelled() throws Exception {
    byte[] large = new byte[100_000];
    try (var http = serve(socket -> socket.receive());
        var talk = http.talk()) {
      RawSocket.open(talk, ""); // so that the server has somebody else, too
      var never = HttpFixture.open(server -> server.webSocket("/echo", s -> flood(s, large)));
      try (never;
          var raw = never.talk()) {
        RawSocket reader = RawSocket.open(raw, "");
        Loop.awaitIdle();

        RawSocket.Frame last = reader.read();
        assertEquals(2, last.kind());
        while (last.kind() == 2) {
          assertArrayEquals(large, last.payload());
          last = reader.read();
        }
        assertEquals(1, last.kind());
        assertEquals("cancelled", last.text());
        reader.send(0x88, "");
      }
    }
  }

  /// Sends until it is stopped, once by the timeout, and then a word.
  private static void flood(WebSocket socket, byte[] large) throws Exception {
    int sent = 0;
    try {
      while (true) {
        Time.timeout(Duration.ofMillis(100), () -> socket.send(large));
        sent++;
        assertTrue(sent < 10_000, "nobody waits");
        if (sent % 60 == 0 && sent > 100) {
          break; // the reader goes on, and never was slow enough
        }
      }
    } catch (TimeoutException stopped) {
      assertTrue(sent > 0);
    }
    socket.send("cancelled");
    socket.receive();
  }

  /// With a context a message refers to those before it: not to one that was given up.
  @ParameterizedTest
  @EnumSource(Compression.class)
  void whatIsSentBehindAMessageThatWasGivenUpIsUnderstood(Compression compression)
      throws Exception {
    var random = new Random(7);
    var sent = new ArrayList<byte[]>();
    Gate full = new Gate();
    WebSocketHandler flood =
        socket -> {
          boolean stopped = false;
          for (int i = 0; !stopped; i++) {
            assertTrue(i < 10_000, "nobody waits");
            byte[] message = new byte[30_000];
            random.nextBytes(message);
            sent.add(message);
            try {
              Time.timeout(Duration.ofMillis(100), () -> socket.send(message));
            } catch (TimeoutException left) {
              stopped = true;
              full.open();
              socket.send(message);
            }
          }
          socket.receive();
        };
    var options = WebSocketOptions.DEFAULT.withCompression(compression);
    try (var http = serve(options, flood);
        var socket = WebSocket.connect(uri(http), options)) {
      full.await();
      for (int i = 0; i < sent.size(); i++) {
        assertArrayEquals(sent.get(i), socket.receive().bytes(), "message " + i);
      }
    }
  }

  // ---- closing

  @Test
  void closingTellsTheOtherSideWhy() throws Exception {
    var told = new ArrayList<String>();
    try (var http =
        serve(
            socket -> {
              assertNull(socket.receive());
              told.add(socket.closeCode() + socket.closeReason());
              assertThrows(ClosedChannelException.class, () -> socket.send("too late"));
            })) {
      WebSocket socket = connect(http);
      socket.close(4711, "bye €".repeat(30));
      socket.close();
      assertTrue(socket.isClosed());
      assertThrows(ClosedChannelException.class, () -> socket.send("too late"));
      assertThrows(ClosedChannelException.class, socket::receive);
    }
    assertEquals(("4711" + "bye €".repeat(17) + "bye "), told.getFirst());
  }

  @Test
  void closingWakesWhoReceives() throws Exception {
    try (var http = serve(WebSocketTest::echo)) {
      WebSocket socket = connect(http);
      var receiver = Coroutine.spawn(() -> socket.receive());
      Loop.awaitIdle();

      socket.close();

      assertNull(receiver.await());
    }
  }

  @Test
  void closingDropsWhatStillComes() throws Exception {
    try (var http =
        serve(
            socket -> {
              socket.send("x".repeat(100_000));
              echo(socket);
            })) {
      WebSocket socket = connect(http);
      for (int i = 0; i < 100; i++) {
        socket.send("never looked at");
      }
      socket.close();
      assertEquals(1000, socket.closeCode());
    }
  }

  @Test
  void closingWaitsNoLongerThanItIsTold(TestClock clock) throws Exception {
    try (var http = HttpFixture.open(s -> s.webSocket("/echo", socket -> socket.close()));
        var talk = http.talk()) {
      RawSocket socket = RawSocket.open(talk, "");

      assertEquals(8, socket.read().kind());
      assertTrue(socket.hasEnded()); // we never answer
      assertTrue(clock.elapsed().toSeconds() >= 5);
    }
  }

  @Test
  @SuppressWarnings("try") // closing is what is tested
  void whoIsCancelledWhileClosingClosesAtOnce() throws Exception {
    Gate done = new Gate();
    try (var http = HttpFixture.open(s -> s.webSocket("/{room}", socket -> done.await()));
        var socket = connect(http)) {
      var closer = Coroutine.spawn(() -> socket.close());
      Loop.awaitIdle();
      assertEquals(Status.SUSPENDED, closer.status());

      closer.cancel();

      assertThrows(CancellationException.class, closer::await);
      assertTrue(socket.isClosed());
      done.open();
    }
  }

  @Test
  void aConnectionThatEndsWithoutAWordIsAFailure() throws Exception {
    var failures = new ArrayList<Throwable>();
    var codes = new ArrayList<Integer>();
    ServerOptions options =
        ServerOptions.DEFAULT.withOnFailure((request, failure) -> failures.add(failure));
    try (var http =
        HttpFixture.open(
            options,
            server ->
                server.webSocket(
                    "/echo",
                    socket -> {
                      try {
                        socket.receive();
                      } catch (EOFException gone) {
                        codes.add(socket.closeCode());
                        assertThrows(EOFException.class, socket::receive);
                        assertFalse(socket.isOpen());
                        throw gone;
                      }
                    }))) {
      try (var talk = http.talk()) {
        RawSocket.open(talk, "");
      }
    }
    assertEquals(List.of(1006), codes);
    assertEquals(List.of(), failures);
  }

  @Test
  void aHandlerThatFailsClosesAndIsTold() throws Exception {
    var failures = new ArrayList<String>();
    ServerOptions options =
        ServerOptions.DEFAULT.withOnFailure(
            (request, failure) -> failures.add(request + ": " + failure.getMessage()));
    try (var http =
        HttpFixture.open(
            options,
            server ->
                server.webSocket(
                    "/{room}",
                    socket -> {
                      throw new IllegalStateException("on purpose");
                    }))) {
      try (var socket = connect(http)) {
        assertNull(socket.receive());
        assertEquals(1011, socket.closeCode());
      }
    }
    assertEquals(List.of("GET /room?user=me: on purpose"), failures);
  }

  @Test
  void aServerThatEndsTellsTheClients() throws Exception {
    try (var http = serve(WebSocketTest::echo);
        var socket = connect(http);
        var silent = connect(http)) {
      socket.send("still there");
      assertEquals("still there", socket.receive().text());

      http.server.close();

      assertNull(socket.receive());
      assertEquals(1001, socket.closeCode());
      assertNull(silent.receive());
    }
  }

  // ---- silence

  @Test
  void silenceIsAskedAndThenGivenUp(TestClock clock) throws Exception {
    var ends = new ArrayList<Throwable>();
    try (var http =
            HttpFixture.open(
                server ->
                    server.webSocket(
                        "/echo",
                        WebSocketOptions.DEFAULT.withIdle(Duration.ofSeconds(4)),
                        socket ->
                            ends.add(
                                assertThrows(SocketTimeoutException.class, socket::receive))));
        var talk = http.talk()) {
      RawSocket socket = RawSocket.open(talk, "");

      for (int i = 0; i < 3; i++) {
        assertEquals(9, socket.read().kind());
        socket.send(0x8a, "");
      }
      assertEquals(9, socket.read().kind());
      assertTrue(socket.hasEnded());
      assertEquals(1, ends.size());
      assertEquals(20, clock.elapsed().toSeconds());
    }
  }
}
