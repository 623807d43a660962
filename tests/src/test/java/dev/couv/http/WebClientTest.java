// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import dev.couv.error.ClosedException;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TlsFiles;
import dev.couv.net.TlsOptions;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A client's requests to a server of ours, and its connections.
@InLoop
class WebClientTest {
  private static String uri(HttpFixture http, String path) {
    return "http://127.0.0.1:" + http.address().getPort() + path;
  }

  /// Tells from which port each request came.
  private static void ports(HttpServer server) {
    server.route("GET", "/port", request -> Response.text(request.remote().toString()));
    server.route(
        "GET",
        "/slow",
        request -> {
          Time.sleep(Duration.ofMillis(20));
          return Response.text(request.remote().toString());
        });
    server.route("GET", "/none", request -> Response.of(204));
    server.route("GET", "/large", request -> Response.bytes("x/y", new byte[1 << 20]));
    server.route("POST", "/", request -> Response.text(request.body().text(1 << 24)));
    server.route("PUT", "/", request -> Response.text(request.body().text(1 << 24)));
  }

  private static HttpFixture serve() throws IOException {
    return HttpFixture.open(WebClientTest::ports);
  }

  private static String text(ClientResponse answer) throws IOException {
    try (answer) {
      return answer.text(1 << 24);
    }
  }

  // ---- requests and answers

  @Test
  void aRequestSaysWhatIsWanted() throws Exception {
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "*",
                        "/{path...}",
                        request ->
                            Response.text(
                                    request
                                        + " "
                                        + request.header("host")
                                        + " "
                                        + request.header("x-a")
                                        + " "
                                        + request.header("user-agent")
                                        + " "
                                        + request.header("content-length"))
                                .withStatus(418)
                                .withHeader("X-B", "c")));
        var client = WebClient.open()) {
      String host = "127.0.0.1:" + http.address().getPort();
      var request = ClientRequest.of("DELETE", uri(http, "/a%20b/ü?q=1#x")).withHeader("X-A", "b");
      try (var answer = client.send(request)) {
        assertEquals(418, answer.status());
        assertEquals("c", answer.header("x-b"));
        assertEquals(HttpVersion.HTTP_1_1, answer.version());
        assertEquals("DELETE /a%20b/%C3%BC?q=1 " + host + " b couv null", answer.text(1000));
      }
      assertTrue(text(client.send(ClientRequest.of("POST", uri(http, "")))).endsWith(" 0"));
    }
  }

  @Test
  void bodiesOfEveryKindArrive(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "0123456789");
    byte[] large = "large ".repeat(500_000).getBytes(UTF_8);
    try (var http = serve();
        var client = WebClient.open()) {
      var post = ClientRequest.of("POST", uri(http, "/"));
      assertEquals("text", text(client.send(post.withText("text"))));
      assertEquals("", text(client.send(post)));
      assertEquals(new String(large, UTF_8), text(client.send(post.withBytes("a/b", large))));
      assertEquals(
          "3456", text(client.send(post.withContent(new Content.FileRange("", file, 3, 4)))));
      var streamed =
          post.withStream(
              "text/plain",
              out -> {
                for (int i = 0; i < 1000; i++) {
                  out.write(i + "\n");
                }
                out.trailer("X-Sum", "1");
              });
      assertEquals(3890, text(client.send(streamed)).length());
      assertEquals("last", text(client.send(post.withText("last"))));
    }
  }

  @Test
  void aBodyIsReadAsItComes() throws Exception {
    Gate go = new Gate();
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
                                  out.write("first");
                                  go.await();
                                  out.write("second");
                                  out.trailer("X-Sum", "2");
                                })));
        var client = WebClient.open();
        var answer = client.get(uri(http, "/"))) {
      assertEquals("first", UTF_8.decode(answer.body().read()).toString());
      assertEquals(-1, answer.body().length());
      go.open();
      assertEquals("second", answer.text(100));
      assertEquals("2", answer.body().trailers().get("x-sum"));
      assertEquals(-1, answer.body().read(ByteBuffer.allocate(1)));
      assertEquals(1, client.idle());
    }
  }

  @Test
  void answersWithoutABodyHaveNone() throws Exception {
    try (var http = serve();
        var client = WebClient.open()) {
      assertEquals(0, client.get(uri(http, "/none")).body().length());
      var head = client.send(ClientRequest.of("HEAD", uri(http, "/large")));
      assertEquals("1048576", head.header("content-length"));
      assertNull(head.body().read());
      assertEquals(1, client.idle());
      assertTrue(text(client.get(uri(http, "/port"))).startsWith("/127.0.0.1:"));
    }
  }

  @Test
  void overTls() throws Exception {
    var options = ServerOptions.DEFAULT.withTls(TlsFiles.context("server"));
    var trusting = TlsOptions.DEFAULT.withContext(TlsFiles.trusting());
    try (var http = HttpFixture.open(options, WebClientTest::ports);
        var client = WebClient.open(ClientOptions.DEFAULT.withTls(trusting));
        var distrusting = WebClient.open()) {
      String uri = "https://localhost:" + http.address().getPort() + "/";
      for (int i = 0; i < 3; i++) {
        assertEquals("secret", text(client.post(uri, "secret")));
      }
      assertEquals(1, client.idle());
      assertThrows(javax.net.ssl.SSLException.class, () -> distrusting.get(uri));
    }
  }

  @Test
  void theServerIsAskedBeforeALargeBody() throws Exception {
    var asked = new ArrayList<String>();
    try (var http =
            HttpFixture.open(
                server -> {
                  server.route(
                      "POST",
                      "/no",
                      request -> {
                        throw new HttpFailure(403, "not you");
                      });
                  server.route(
                      "POST",
                      "/yes",
                      request -> {
                        asked.add(request.header("expect"));
                        return Response.text(request.body().text(1 << 20));
                      });
                });
        var client = WebClient.open()) {
      var sent = new ArrayList<String>();
      var request =
          ClientRequest.of("POST", uri(http, "/no"))
              .withStream("text/plain", out -> sent.add("something"))
              .withExpect(true);
      assertEquals(403, client.send(request).status());
      assertEquals(List.of(), sent);
      var yes = ClientRequest.of("POST", uri(http, "/yes")).withText("now").withExpect(true);
      assertEquals("now", text(client.send(yes)));
      assertEquals(List.of("100-continue"), asked);
    }
  }

  // ---- connections

  @Test
  void aConnectionIsUsedAgain() throws Exception {
    try (var http = serve();
        var client = WebClient.open()) {
      Set<String> ports = new HashSet<>();
      for (int i = 0; i < 10; i++) {
        ports.add(text(client.get(uri(http, "/port"))));
      }
      assertEquals(1, ports.size());
      assertEquals(1, client.idle());
    }
  }

  @Test
  @SuppressWarnings("try") // closing the scope waits for the requests
  void noMoreThanSoManyGoToOneOriginAtOnce() throws Exception {
    try (var http = serve();
        var client = WebClient.open(ClientOptions.DEFAULT.withConnections(3, 100))) {
      Set<String> ports = new HashSet<>();
      try (Scope scope = Scope.open()) {
        for (int i = 0; i < 30; i++) {
          scope.spawn(() -> ports.add(text(client.get(uri(http, "/slow")))));
        }
      }
      assertEquals(3, ports.size());
      assertEquals(3, client.idle());
    }
  }

  @Test
  void whoWaitsForAConnectionMayBeCancelled() throws Exception {
    try (var http = serve();
        var client = WebClient.open(ClientOptions.DEFAULT.withConnections(1, 1))) {
      var first = client.get(uri(http, "/large"));
      var waiting = Coroutine.spawn(() -> client.get(uri(http, "/port")));
      var other = Coroutine.spawn(() -> text(client.get(uri(http, "/port"))));
      Loop.awaitIdle();

      waiting.cancel();
      assertThrows(CancellationException.class, waiting::await);
      first.close();

      assertTrue(other.await().startsWith("/127"));
    }
  }

  @Test
  void anAnswerThatIsLeftClosesItsConnection() throws Exception {
    try (var http = serve();
        var client = WebClient.open()) {
      var answer = client.get(uri(http, "/large"));
      answer.body().read();
      answer.close();
      answer.close();
      assertTrue(answer.isClosed());
      assertThrows(ClosedChannelException.class, () -> answer.body().read());
      assertEquals(0, client.idle());

      var small = client.get(uri(http, "/port"));
      small.close(); // all of it is here
      assertEquals(1, client.idle());
    }
  }

  @Test
  void whoIsCancelledInTheMiddleClosesTheConnection() throws Exception {
    Gate never = new Gate();
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "GET",
                        "/",
                        request -> {
                          never.await();
                          return Response.text("late");
                        }));
        var client = WebClient.open()) {
      var asking = Coroutine.spawn(() -> client.get(uri(http, "/")));
      Loop.awaitIdle();

      asking.cancel();

      assertThrows(CancellationException.class, asking::await);
      assertEquals(0, client.idle());
      never.open();
    }
  }

  @Test
  void whoIsCancelledWhileReadingMayGoOn() throws Exception {
    Gate go = new Gate();
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
                                  go.await();
                                  out.write("all of it");
                                })));
        var client = WebClient.open();
        var answer = client.get(uri(http, "/"))) {
      var reading = Coroutine.spawn(() -> answer.body().read());
      Loop.awaitIdle();
      reading.cancel();
      assertThrows(CancellationException.class, reading::await);
      go.open();

      assertEquals("all of it", answer.text(100));
    }
  }

  @Test
  void whoeverIsCancelledWheneverLeavesItsPlace() throws Exception {
    try (var http = serve();
        var client = WebClient.open(ClientOptions.DEFAULT.withConnections(2, 2))) {
      for (int turns = 0; turns < 60; turns++) {
        var request =
            ClientRequest.of("POST", uri(http, "/"))
                .withBytes("a/b", new byte[turns % 2 == 0 ? 10 : 200_000]);
        var one = Coroutine.spawn(() -> text(client.send(request)));
        var other = Coroutine.spawn(() -> text(client.get(uri(http, "/port"))));
        var third = Coroutine.spawn(() -> text(client.get(uri(http, "/slow"))));
        for (int i = 0; i < turns; i++) {
          Coroutine.pause();
        }
        one.cancel();
        other.cancel();
        third.cancel();
        Await.settle(one, other, third);
      }
      assertTrue(text(client.get(uri(http, "/port"))).startsWith("/127"));
      assertEquals("both", text(client.post(uri(http, "/"), "both")));
    }
  }

  @Test
  void anIdleConnectionIsClosedByTime(TestClock clock) throws Exception {
    try (var http = serve();
        var client = WebClient.open()) {
      text(client.get(uri(http, "/port")));
      assertEquals(1, client.idle());

      Time.sleep(Duration.ofSeconds(31));

      assertEquals(0, client.idle());
    }
  }

  @Test
  void aClosedClientIsOfNoUse() throws Exception {
    try (var http = serve()) {
      WebClient client = WebClient.open();
      text(client.get(uri(http, "/port")));
      var answer = client.get(uri(http, "/large"));
      var reading =
          Coroutine.spawn(
              () -> {
                while (answer.body().read() != null) {}
                return answer.body().read();
              });
      client.close();
      client.close();

      assertTrue(client.isClosed());
      assertThrows(IOException.class, reading::await);
      assertThrows(ClosedException.class, () -> client.get(uri(http, "/port")));
    }
  }

  // ---- time

  @Test
  void anAnswerThatDoesNotComeIsGivenUp(TestClock clock) throws Exception {
    try (var server = RawServer.open(talk -> talk.in.skip(1 << 20));
        var client = WebClient.open()) {
      assertThrows(SocketTimeoutException.class, () -> client.get(server.uri()));
      assertEquals(30, clock.elapsed().toSeconds());
    }
  }

  @Test
  void aBodyThatDoesNotGoOnIsGivenUp(TestClock clock) throws Exception {
    try (var server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
        var client = WebClient.open()) {
      var answer = client.get(server.uri());
      assertThrows(SocketTimeoutException.class, () -> answer.text(100));
      assertThrows(IOException.class, () -> answer.body().read());
      assertEquals(30, clock.elapsed().toSeconds());
    }
  }

  @Test
  void allOfItHasItsTime(TestClock clock) throws Exception {
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "GET",
                        "/",
                        request ->
                            Response.stream(
                                "a/b",
                                out -> {
                                  for (int i = 0; i < 1000; i++) {
                                    out.write("drop");
                                    Time.sleep(Duration.ofSeconds(1));
                                  }
                                })));
        var client = WebClient.open(ClientOptions.DEFAULT.withWhole(Duration.ofSeconds(20)))) {
      var answer = client.get(uri(http, "/"));
      assertThrows(SocketTimeoutException.class, () -> answer.text(1 << 20));
      assertEquals(20, clock.elapsed().toSeconds());
    }
  }

  // ---- compression

  @Test
  void compressedBodiesAreDecompressedIfThatIsWanted() throws Exception {
    byte[] plain = "compress me ".repeat(10_000).getBytes(UTF_8);
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(plain);
    }
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "GET",
                        "/",
                        request ->
                            "gzip".equals(request.header("accept-encoding"))
                                ? Response.bytes("text/plain", bytes.toByteArray())
                                    .withHeader("Content-Encoding", "gzip")
                                : Response.bytes("text/plain", plain)));
        var without = WebClient.open();
        var client = WebClient.open(ClientOptions.DEFAULT.withGzip(1 << 20));
        var careful = WebClient.open(ClientOptions.DEFAULT.withGzip(1000))) {
      assertArrayEquals(plain, without.get(uri(http, "/")).bytes(1 << 20));
      for (int i = 0; i < 3; i++) {
        var answer = client.get(uri(http, "/"));
        assertNull(answer.header("content-encoding"));
        assertArrayEquals(plain, answer.bytes(1 << 20));
        assertEquals(1, client.idle());
      }
      assertThrows(IOException.class, () -> careful.get(uri(http, "/")).bytes(1 << 20));
    }
  }

  // ---- misuse

  @Test
  void whatIsNoRequestIsRefused() {
    for (String uri : List.of("ftp://a/", "http:///a", "http://u:p@a/", "a", "http://a:99999/")) {
      assertThrows(IllegalArgumentException.class, () -> ClientRequest.of("GET", uri), uri);
    }
    var request = ClientRequest.of("GET", "http://a/");
    for (String name :
        List.of("Connection", "Content-Length", "Transfer-Encoding", "Expect", "a b")) {
      assertThrows(IllegalArgumentException.class, () -> request.withHeader(name, "x"), name);
    }
    assertThrows(IllegalArgumentException.class, () -> request.withHeader("X", "a\r\nY: b"));
    assertThrows(IllegalArgumentException.class, () -> ClientRequest.of("G T", "http://a/"));
    assertThrows(IllegalArgumentException.class, () -> ClientRequest.of("GET\r\n", "http://a/"));
    assertFalse(request.isExpecting());
  }

  /// A connection is made by a coroutine of its own, but whoever asked is to be found.
  @Test
  void whoCannotConnectIsToldWhereHeAsked() throws Exception {
    int port;
    try (TcpListener nobody = Tcp.listen(new InetSocketAddress("127.0.0.1", 0))) {
      port = nobody.local().getPort();
    }
    try (WebClient client = WebClient.open()) {
      ConnectException refused =
          assertThrows(ConnectException.class, () -> client.get("http://127.0.0.1:" + port + "/"));

      assertTrue(
          List.of(refused.getStackTrace()).stream()
              .anyMatch(frame -> frame.getClassName().startsWith(getClass().getName())));
    }
  }

  @Test
  void aZoneIsNotSaidToTheOtherSide() {
    Origin origin = Origin.of(URI.create("http://[fe80::1%12]:8080/"), "http", "https");

    assertEquals("[fe80::1]:8080", origin.host());
  }
}
