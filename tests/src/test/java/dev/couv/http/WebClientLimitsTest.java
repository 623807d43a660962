// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a client holds and waits for at most, whatever it asks and whoever answers.
@InLoop
class WebClientLimitsTest {
  private static String uri(HttpFixture http, String path) {
    return "http://127.0.0.1:" + http.address().getPort() + path;
  }

  /// Tells from which port each request came.
  private static HttpFixture serve() throws IOException {
    return HttpFixture.open(
        server -> {
          server.route("GET", "/port", request -> Response.text(request.remote().toString()));
          server.route("GET", "/large", request -> Response.bytes("x/y", new byte[1 << 20]));
        });
  }

  private static String text(ClientResponse answer) throws IOException {
    try (answer) {
      return answer.text(100);
    }
  }

  @Test
  void whoAsksManyOriginsKeepsNoMoreConnectionsThanThereMayBe() throws Exception {
    var servers = new ArrayList<HttpFixture>();
    try (var client = WebClient.open(ClientOptions.DEFAULT.withConnections(2, 4))) {
      for (int i = 0; i < 12; i++) {
        servers.add(serve());
      }
      var ports = new ArrayList<String>();
      for (var http : servers) {
        ports.add(text(client.get(uri(http, "/port"))));
        assertTrue(client.idle() <= 4, () -> client.idle() + " are kept");
      }
      assertEquals(4, client.idle());
      for (int i = 11; i >= 8; i--) { // those that were used last
        assertEquals(ports.get(i), text(client.get(uri(servers.get(i), "/port"))));
      }

      // Those in use count as well.
      try (var one = client.get(uri(servers.get(0), "/large"));
          var other = client.get(uri(servers.get(1), "/large"))) {
        assertEquals(200, one.status());
        assertEquals(200, other.status());
        assertEquals(2, client.idle());
      }
    } finally {
      for (var http : servers) {
        http.close();
      }
    }
  }

  @Test
  void aTurnThatDoesNotComeIsNotWaitedForForEver(TestClock clock) throws Exception {
    try (var server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
        var client = WebClient.open(ClientOptions.DEFAULT.withConnections(1, 5));
        var narrow = WebClient.open(ClientOptions.DEFAULT.withConnections(5, 1))) {
      for (var each : List.of(client, narrow)) {
        try (var forgotten = each.get(server.uri())) {
          var before = clock.elapsed();
          var late =
              assertThrows(SocketTimeoutException.class, () -> each.get(server.uri()).close());
          assertTrue(late.getMessage().startsWith("a turn to ask http://"), late::toString);
          assertEquals(Duration.ofMinutes(1), clock.elapsed().minus(before));
          assertEquals(200, forgotten.status());
        }
        each.get(server.uri()).close(); // and those who gave up hold no place
      }
    }
  }

  @Test
  void timesThatNobodyCanWaitForAreRefused() {
    var longest = Duration.ofNanos(Long.MAX_VALUE);
    var options = ClientOptions.DEFAULT;
    var limits = HttpLimits.DEFAULT;
    var sockets = WebSocketOptions.DEFAULT;
    List<Function<Duration, Object>> all =
        List.of(
            options::withKeep,
            options::withTurnTime,
            options::withConnectTime,
            options::withHeadTime,
            options::withIdle,
            options::withWhole,
            limits::withIdle,
            limits::withHeadTime,
            limits::withBodyTime,
            limits::withSendTime,
            limits::withWhole,
            sockets::withIdle,
            sockets::withCloseTime,
            sockets::withSendTime,
            sockets::withConnectTime);
    for (var with : all) {
      with.apply(longest);
      for (var time : List.of(longest.plusNanos(1), Duration.ZERO, Duration.ofNanos(-1))) {
        assertThrows(IllegalArgumentException.class, () -> with.apply(time));
      }
    }
  }

  @Test
  void theLongestTimesAreKept() throws Exception {
    var longest = Duration.ofNanos(Long.MAX_VALUE);
    var limits =
        HttpLimits.DEFAULT
            .withIdle(longest)
            .withHeadTime(longest)
            .withBodyTime(longest)
            .withSendTime(longest)
            .withWhole(longest);
    var options =
        ClientOptions.DEFAULT
            .withKeep(longest)
            .withTurnTime(longest)
            .withConnectTime(longest)
            .withHeadTime(longest)
            .withIdle(longest)
            .withWhole(longest);
    var serverOptions =
        ServerOptions.DEFAULT.withLimits(limits).withGrace(Duration.ofSeconds(Long.MAX_VALUE));
    Gate go = new Gate();
    try (var http = HttpFixture.simple(serverOptions);
        var client = WebClient.open(options)) {
      var request =
          ClientRequest.of("POST", uri(http, "/"))
              .withStream(
                  "a/b",
                  out -> {
                    out.write("x".repeat(10_000));
                    out.flush();
                    go.await();
                    out.write("y");
                  });
      var asking = Coroutine.spawn(() -> client.send(request).text(1 << 20));
      Loop.awaitIdle();
      go.open();
      assertEquals(10_001, asking.await().length());
      assertEquals("hello", text(client.get(uri(http, "/"))));
      assertEquals(1, client.idle());
    }
  }

  // ---- closing

  @Test
  void closingWakesWhoWaitsForATurn(TestClock clock) throws Exception {
    try (var server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")) {
      for (var options :
          List.of(
              ClientOptions.DEFAULT.withConnections(1, 5),
              ClientOptions.DEFAULT.withConnections(5, 1))) {
        int before = server.connections();
        var client = WebClient.open(options);
        var since = clock.elapsed();
        var first = client.get(server.uri());
        var second = Coroutine.spawn(() -> client.get(server.uri()));
        var third = Coroutine.spawn(() -> client.get(server.uri()));
        Loop.awaitIdle();

        client.close();

        assertThrows(ClosedException.class, second::await);
        assertThrows(ClosedException.class, third::await);
        assertEquals(since, clock.elapsed());
        first.close();
        assertEquals(before + 1, server.connections());
      }
    }
  }

  @Test
  void closingWakesWhoConnects(TestClock clock) throws Exception {
    Gate greeted = new Gate();
    try (var silent =
        RawServer.open(
            talk -> {
              talk.in.peek(); // the first word of TLS, and nobody answers it
              greeted.open();
              talk.rest();
            })) {
      var client = WebClient.open();
      var asking = Coroutine.spawn(() -> client.get(silent.uri().replace("http://", "https://")));
      greeted.await();

      client.close();

      assertThrows(ClosedException.class, asking::await);
      assertEquals(Duration.ZERO, clock.elapsed());
    }
  }

  @Test
  void whoeverIsCancelledOrClosedWhileItConnectsLeavesNothingOpen() throws Exception {
    try (var server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")) {
      for (int turns = 0; turns < 30; turns++) {
        for (boolean closes : new boolean[] {true, false}) {
          var client = WebClient.open();
          var asking = Coroutine.spawn(() -> text(client.get(server.uri())));
          for (int i = 0; i < turns; i++) {
            Coroutine.pause();
          }
          if (closes) {
            client.close();
          } else {
            asking.cancel();
          }
          Await.settle(asking);
          client.close();
        }
      }
    }
  }

  // ---- compression

  /// Names without an end, and members without a byte: neither adds to what was decompressed.
  @ParameterizedTest
  @CsvSource({"08, 61", "10, 61", "00, 1f8b08000000000000ff03000000000000000000"})
  void compressedBytesThatAreNothingHaveALimit(String flags, String again) throws Exception {
    byte[] head = HexFormat.of().parseHex("1f8b08" + flags + "000000000003");
    byte[] nothing = HexFormat.of().parseHex(again);
    byte[] first = flags.equals("00") ? nothing : head;
    var sent = new AtomicLong();
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "GET",
                        "/",
                        request ->
                            Response.stream(
                                    "text/plain",
                                    out -> {
                                      out.write(first);
                                      byte[] some = new byte[nothing.length * 500];
                                      for (int i = 0; i < some.length; i++) {
                                        some[i] = nothing[i % nothing.length];
                                      }
                                      while (sent.addAndGet(some.length) < 1 << 26) {
                                        out.write(some);
                                      }
                                    })
                                .withHeader("Content-Encoding", "gzip")));
        var client = WebClient.open(ClientOptions.DEFAULT.withGzip(1000))) {
      try (var answer = client.get(uri(http, "/"))) {
        var failure = assertThrows(IOException.class, () -> answer.bytes(1 << 20));
        assertTrue(failure.toString().contains("compressed bytes"), failure::toString);
      }
      assertEquals(0, client.idle());
    }
    assertTrue(sent.get() < 1 << 25, () -> sent + " bytes were taken");
  }
}
