// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.CapturedLog;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.http.HttpFixture.Talk;
import dev.couv.net.Local;
import dev.couv.net.Tls;
import dev.couv.net.TlsFiles;
import dev.couv.net.TlsOptions;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Handlers that fail, who is told of it, and other ways to come to a server.
@InLoop
class HttpFailuresTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  private final List<Throwable> told = new ArrayList<>();
  private final List<AccessLog.Access> served = new ArrayList<>();
  private final ServerOptions options =
      ServerOptions.DEFAULT
          .withOnFailure((_, failure) -> told.add(failure))
          .withAccessLog(served::add);

  private HttpFixture open(HttpHandler handler) throws IOException {
    return HttpFixture.open(options, server -> server.route("*", "/{path...}", handler));
  }

  /// So that a run in virtual time says the same each time.
  @Test
  void accessesAreAtTheTimeOfTheLoop(TestClock clock) throws Exception {
    List<String> lines = new ArrayList<>();
    var at =
        DateTimeFormatter.ofPattern("'['dd/MMM/yyyy:HH:mm:ss Z']'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    try (var http =
        HttpFixture.simple(ServerOptions.DEFAULT.withAccessLog(AccessLog.to(lines::add)))) {
      Time.sleep(Duration.ofDays(40));
      http.all("GET / HTTP/1.0\r\n\r\n");
      String now = at.format(Time.now());

      assertEquals(1, lines.size());
      assertTrue(lines.getFirst().contains(now), () -> now + ": " + lines);
      assertTrue(clock.elapsed().toDays() >= 40);
    }
  }

  @Test
  void whatAHandlerThrowsIsAFailureThatIsToldAndHarmsNoOtherRequest() throws Exception {
    List<Throwable> thrown =
        List.of(
            new IllegalStateException("secret"),
            new IOException("secret"),
            new UncheckedIOException(new IOException("secret")),
            new TimeoutException("secret"),
            new AssertionError("secret"),
            new StackOverflowError());
    var next = thrown.iterator();
    HttpHandler failing =
        _ -> {
          switch (next.next()) {
            case Exception e -> throw e;
            case Throwable e -> throw (Error) e;
          }
        };
    try (var http = open(failing);
        Talk talk = http.talk()) {
      for (int i = 0; i < thrown.size(); i++) {
        assertEquals("something went wrong here\n", talk.say(GET).body());
      }
      assertEquals(thrown, told);
      assertEquals(
          List.of(500, 500, 500, 500, 500, 500),
          served.stream().map(AccessLog.Access::status).toList());
    }
  }

  @Test
  @SuppressWarnings("NullAway")
  void noAnswerIsAFailure() throws Exception {
    try (var http = open(_ -> null);
        Talk talk = http.talk()) {
      assertEquals(500, talk.say(GET).status());
      assertTrue(told.getFirst() instanceof NullPointerException);
    }
  }

  @Test
  void aFailureThatIsMeantIsToldToTheClientAlone() throws Exception {
    HttpHandler failing =
        _ -> {
          throw new HttpFailure(
              Response.text("slowly").withStatus(429).withHeader("Retry-After", "7"));
        };
    try (var http = open(failing);
        Talk talk = http.talk()) {
      String head = talk.say(GET).head();

      assertTrue(head.startsWith("HTTP/1.1 429 "), head);
      assertEquals("7", HttpFixture.field(head, "retry-after"));
      assertEquals("slowly", talk.bytes(6));
      assertEquals(List.of(), told);
    }
  }

  @Test
  void anAnswerThatFailsInTheMiddleIsTornSoThatTheClientSeesIt() throws Exception {
    HttpHandler failing =
        _ ->
            Response.stream(
                "x/y",
                out -> {
                  out.write("one");
                  out.flush();
                  throw new IllegalStateException("no more");
                });
    try (var http = open(failing)) {
      for (String version : List.of("1.0", "1.1")) {
        try (Talk talk = http.talk()) {
          talk.say("GET / HTTP/" + version + "\r\nHost: a\r\n\r\n");

          assertThrows(IOException.class, talk::rest);
        }
      }
      assertEquals(2, told.size());
      assertEquals("no more", told.getFirst().getMessage());
    }
  }

  /// Where the end of the connection is the end of the body.
  @Test
  void alsoByTls() throws Exception {
    HttpHandler failing =
        _ ->
            Response.stream(
                "x/y",
                out -> {
                  out.write("one");
                  out.flush();
                  throw new IllegalStateException("no more");
                });
    var secure = options.withTls(TlsFiles.context("server"));
    var trusting = TlsOptions.DEFAULT.withContext(TlsFiles.trusting());
    try (var http = HttpFixture.open(secure, server -> server.route("GET", "/", failing));
        var client = Tls.connect("localhost", http.address().getPort(), trusting)) {
      client.write("GET / HTTP/1.0\r\n\r\n");

      assertThrows(IOException.class, () -> client.readAll(1000));
    }
  }

  @Test
  void anAnswerThatIsCancelledInTheMiddleIsTornAsWell(TestClock clock) throws Exception {
    HttpHandler endless =
        _ ->
            Response.events(
                events -> {
                  events.send("tick");
                  Coroutine.halt();
                });
    var http = open(endless);
    try (Talk talk = http.talk()) {
      talk.say("GET / HTTP/1.0\r\n\r\n").head();
      http.close();

      assertThrows(IOException.class, talk::rest);
      assertEquals(10, clock.elapsed().toSeconds());
      assertEquals(List.of(), told);
    }
  }

  @Test
  void aWriteThatWasLeftTearsTheAnswer() throws Exception {
    HttpHandler leaving =
        _ ->
            Response.stream(
                "x/y",
                out -> {
                  assertThrows(
                      TimeoutException.class,
                      () ->
                          Time.timeout(Duration.ofMillis(50), () -> out.write(new byte[64 << 20])));
                  out.write("next");
                });
    try (var http = open(leaving);
        Talk talk = http.talk()) {
      talk.say(GET).head();
      while (told.isEmpty()) {
        Time.sleep(Duration.ofMillis(5));
      }

      assertTrue(told.getFirst() instanceof IOException);
      assertThrows(IOException.class, talk::rest);
    }
  }

  @Test
  void aClientThatGoesWhileItIsAnsweredIsNobodysFailure() throws Exception {
    List<String> ended = new ArrayList<>();
    HttpHandler ticking =
        _ ->
            Response.events(
                events -> {
                  try {
                    while (true) {
                      events.send("tick");
                      Time.sleep(Duration.ofMillis(1));
                    }
                  } finally {
                    ended.add("source");
                  }
                });
    try (var http = open(ticking)) {
      try (Talk talk = http.talk()) {
        talk.say(GET).head();
      }
      while (ended.isEmpty()) {
        Time.sleep(Duration.ofMillis(1));
      }
      assertEquals(List.of(), told);
    }
  }

  @Test
  void aClientThatGoesInItsBodyIsNobodysFailure() throws Exception {
    String post = "POST / HTTP/1.1\r\nHost: a\r\n";
    try (var http = open(request -> Response.text(request.body().text(100)))) {
      for (String body :
          List.of("Content-Length: 9\r\n\r\nab", "Transfer-Encoding: chunked\r\n\r\n9\r\nab")) {
        try (Talk talk = http.talk()) {
          talk.say(post + body);
          Loop.awaitIdle();
        }
        try (Talk talk = http.talk()) {
          talk.say(post + body);
          Loop.awaitIdle();
          talk.stream.reset();
        }
      }
    }
    assertEquals(List.of(), told);
  }

  @Test
  void aHandlerThatIsCancelledEndsItsConnectionOnly() throws Exception {
    List<Coroutine<?>> handling = new ArrayList<>();
    HttpHandler waiting =
        request -> {
          if (request.path().equals("/quick")) {
            return Response.text("quick");
          }
          handling.add(Coroutine.current());
          Time.sleep(Duration.ofDays(1));
          return Response.of(204);
        };
    try (var http = open(waiting);
        Talk talk = http.talk();
        Talk other = http.talk()) {
      talk.say(GET);
      Loop.awaitIdle();
      handling.getFirst().cancel();

      assertEquals("", talk.rest());
      assertEquals("quick", other.say("GET /quick HTTP/1.1\r\nHost: a\r\n\r\n").body());
      assertEquals(List.of(), told);
    }
  }

  @Test
  void whatAHandlerSpawnsIsItsConnections() throws Exception {
    List<String> ended = new ArrayList<>();
    HttpHandler spawning =
        _ -> {
          Coroutine.spawn(
              () -> {
                try {
                  Time.sleep(Duration.ofDays(1));
                } finally {
                  ended.add("spawned");
                }
              });
          return Response.text("x");
        };
    try (var http =
        HttpFixture.open(
            options.withGrace(Duration.ZERO), server -> server.route("GET", "/", spawning))) {
      try (Talk talk = http.talk()) {
        assertEquals("x", talk.say(GET).body());
      }
      http.server.close();
    }
    assertEquals(List.of("spawned"), ended);
  }

  @Test
  void withoutAListenerFailuresAreLogged() throws Exception {
    HttpHandler failing =
        _ -> {
          throw new IllegalStateException("planted");
        };
    try (var log = new CapturedLog();
        var http = HttpFixture.open(server -> server.route("GET", "/", failing));
        Talk talk = http.talk()) {
      assertEquals(500, talk.say(GET).status());
      assertEquals(List.of("GET / has failed"), log.messages());
    }
  }

  @Test
  void listenersThatFailAreLoggedAndNothingElse() throws Exception {
    var failing =
        ServerOptions.DEFAULT
            .withOnFailure(
                (_, _) -> {
                  throw new IllegalStateException("also");
                })
            .withAccessLog(
                _ -> {
                  throw new IllegalStateException("this");
                });
    HttpHandler handler =
        _ -> {
          throw new IllegalStateException("planted");
        };
    try (var log = new CapturedLog();
        var http = HttpFixture.open(failing, server -> server.route("GET", "/", handler));
        Talk talk = http.talk()) {
      assertEquals("something went wrong here\n", talk.say(GET).body());
      assertEquals("something went wrong here\n", talk.say(GET).body());
      assertTrue(log.messages().contains("the access log has failed"), log.messages()::toString);
    }
  }

  // ---- the access log

  @Test
  void everyAnswerIsLoggedInOneLine() throws Exception {
    List<String> lines = new ArrayList<>();
    var logged = ServerOptions.DEFAULT.withAccessLog(AccessLog.to(lines::add)).withName("Couv");
    try (var http = HttpFixture.simple(logged);
        Talk talk = http.talk()) {
      talk.say("GET /?a=\"b HTTP/1.1\r\nHost: a\r\nUser-Agent: x\"y\\\u00e4\r\nReferer: z\r\n\r\n");
      String head = talk.head();
      assertEquals("Couv", HttpFixture.field(head, "server"));
      talk.bytes(5);
      talk.say("rubbish\r\n\r\n").rest();

      String first = "127\\.0\\.0\\.1 - - \\[\\d\\d/\\w+/\\d+:\\d\\d:\\d\\d:\\d\\d \\+0000] ";
      assertTrue(
          Pattern.matches(
              first
                  + Pattern.quote("\"GET /?a=\\x22b HTTP/1.1\" 200 5 \"z\" \"x\\x22y\\x5c\\xe4\""),
              lines.getFirst()),
          lines.getFirst());
      assertTrue(
          Pattern.matches(first + Pattern.quote("\"-\" 400 30 \"-\" \"-\""), lines.get(1)),
          lines.get(1));
    }
  }

  // ---- other ways

  @Test
  void aServerSpeaksTls() throws Exception {
    var secure = ServerOptions.DEFAULT.withTls(TlsFiles.context("server"));
    HttpHandler who =
        request -> Response.text(request.isSecure() + " " + (request.remote() != null));
    try (var http = HttpFixture.open(secure, server -> server.route("GET", "/", who))) {
      var client =
          TlsOptions.DEFAULT
              .withContext(TlsFiles.trusting())
              .withApplicationProtocols("h3", "http/1.1");
      try (var stream = Tls.connect("localhost", http.address().getPort(), client)) {
        assertEquals("http/1.1", stream.applicationProtocol());
        stream.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        String all = new String(stream.readAll(1000));
        assertTrue(all.endsWith("\r\n\r\ntrue true"), all);
      }
      try (Talk plain = http.talk()) {
        plain.say(GET);
        assertThrows(
            AssertionError.class,
            () -> {
              String rest = plain.rest();
              assertTrue(rest.startsWith("HTTP"), rest);
            });
      } catch (IOException reset) {
        // as good
      }
    }
  }

  @Test
  void aServerListensWhereverBytesCome(@TempDir Path directory) throws Exception {
    Path path = directory.resolve("socket");
    HttpServer server = HttpServer.open(Local.listen(path), ServerOptions.DEFAULT);
    try (server) {
      server.route("GET", "/", request -> Response.text("" + request.remote()));
      var serving = Coroutine.spawn(server::serve);
      try (var stream = Local.connect(path)) {
        stream.write("GET / HTTP/1.0\r\n\r\n");
        assertTrue(new String(stream.readAll(1000)).endsWith("\r\n\r\nnull"));
      }
      assertThrows(IllegalStateException.class, server::local);
      server.close();
      serving.await();
    }
  }

  @Test
  void aServerServesOnceAndNotAfterItsEnd() throws Exception {
    var http = HttpFixture.simple(ServerOptions.DEFAULT);
    try (http) {
      Loop.awaitIdle();
      assertThrows(IllegalStateException.class, http.server::serve);
    }
    http.server.close();
    assertThrows(IllegalStateException.class, http.server::serve);
    HttpServer closed = HttpServer.open(new java.net.InetSocketAddress("127.0.0.1", 0));
    closed.close();
    closed.serve();
    assertTrue(closed.isClosed());
    assertNull(Request.of("GET", "/").remote());
  }

  /// What was asked for is known, also where nobody is asked to answer it.
  @Test
  void refusalsAreLoggedWithTheirRequestAndTheirBytes() throws Exception {
    List<String> lines = new ArrayList<>();
    var logged = ServerOptions.DEFAULT.withAccessLog(AccessLog.to(lines::add));
    try (var http = HttpFixture.simple(logged)) {
      String post = "POST /p HTTP/1.1\r\nHost: a\r\n";
      http.all(post + "Content-Length: 99999999999\r\n\r\n");
      http.all(post + "Content-Length: 1\r\nExpect: more\r\n\r\n");
      http.all(post + "Transfer-Encoding: gzip, chunked\r\n\r\n");
      String tls = http.all("\u0016\u0003\u0001\r\n\r\n");
      assertTrue(tls.endsWith("\r\n\r\nTLS, where HTTP is spoken\n"), tls);
    }

    assertTrue(lines.get(0).contains("\"POST /p HTTP/1.1\" 413 "), lines::toString);
    assertTrue(lines.get(1).contains("\"POST /p HTTP/1.1\" 417 27 "), lines::toString);
    assertTrue(lines.get(2).contains("\"POST /p HTTP/1.1\" 501 "), lines::toString);
    assertTrue(lines.get(3).contains("\"-\" 400 26 "), lines::toString);
  }
}
