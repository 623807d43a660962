// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Status;
import dev.couv.net.Tcp;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// Requests and answers over one connection.
@InLoop
class HttpServerTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\n";

  private static HttpFixture simple() throws IOException {
    return HttpFixture.simple(ServerOptions.DEFAULT);
  }

  // ---- connections

  @Test
  void aConnectionServesOneRequestAfterTheOther() throws Exception {
    try (var http = simple();
        var talk = http.talk()) {
      for (int i = 0; i < 3; i++) {
        String head = talk.say(GET).head();

        assertTrue(head.startsWith("HTTP/1.1 200 OK\r\n"), head);
        assertEquals("5", HttpFixture.field(head, "content-length"));
        assertEquals("text/plain; charset=utf-8", HttpFixture.field(head, "content-type"));
        assertTrue(HttpFixture.field(head, "date").endsWith("GMT"), head);
        assertEquals("hello", talk.bytes(5));
      }
    }
  }

  @Test
  void aDateAndAServerOfTheHandlersOwnAreTheOnlyOnes() throws Exception {
    ServerOptions named = ServerOptions.DEFAULT.withName("couv");
    Response own =
        Response.text("old").withHeader("Date", "then").withHeader("Server", "somebody else");
    try (var http = HttpFixture.open(named, server -> server.route("GET", "/", _ -> own));
        var talk = http.talk()) {
      String head = talk.say(GET).head();

      assertEquals("then", HttpFixture.field(head, "date"));
      assertEquals("somebody else", HttpFixture.field(head, "server"));
      assertEquals(2, head.toLowerCase(Locale.ROOT).split("\r\ndate:").length, head);
      assertEquals(2, head.toLowerCase(Locale.ROOT).split("\r\nserver:").length, head);
    }
  }

  @Test
  void requestsThatComeTogetherAreAnsweredInTheirOrder() throws Exception {
    try (var http = simple();
        var talk = http.talk()) {
      talk.say((POST + "Content-Length: 3\r\n\r\none").repeat(1000) + GET);

      for (int i = 0; i < 1000; i++) {
        assertEquals("one", talk.body());
      }
      assertEquals("hello", talk.body());
    }
  }

  @Test
  void aHeadMayComeByteByByte() throws Exception {
    try (var http = simple();
        var talk = http.talk()) {
      String request =
          "\r\n" + POST + "X-Long: " + "y".repeat(2000) + "\r\nContent-Length: 3\r\n\r\none";
      for (int i = 0; i < request.length(); i++) {
        talk.say(request.substring(i, i + 1));
        Coroutine.pause();
      }

      assertEquals("one", talk.body());
    }
  }

  @Test
  void aClientThatSaysCloseIsClosed() throws Exception {
    try (var http = simple()) {
      String answer = http.all("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n" + GET);

      assertTrue(answer.contains("\r\nconnection: close\r\n"), answer);
      assertTrue(answer.endsWith("\r\n\r\nhello"), answer);
    }
  }

  @Test
  void aClientOfTheOldVersionIsClosedUnlessItAsks() throws Exception {
    try (var http = simple();
        var talk = http.talk()) {
      assertTrue(http.all("GET / HTTP/1.0\r\n\r\n").endsWith("\r\n\r\nhello"));

      String head = talk.say("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").head();
      assertEquals("keep-alive", HttpFixture.field(head, "connection"));
      assertEquals("hello", talk.bytes(5));
      assertEquals("hello", talk.say(GET).body());
    }
  }

  @Test
  void aClientThatEndsItsSideIsAnsweredStill() throws Exception {
    try (var http = simple();
        var talk = http.talk()) {
      talk.say(GET + GET);
      talk.stream.shutdown();

      assertEquals("hello", talk.body());
      assertEquals("hello", talk.body());
      assertEquals("", talk.rest());
    }
  }

  @Test
  void aClientThatIsGoneInTheMiddleHarmsNobody() throws Exception {
    try (var http = simple()) {
      for (String part :
          List.of("", "G", "GET / HTTP/1.1\r\nHo", POST + "Content-Length: 9\r\n\r\nab")) {
        try (var talk = http.talk()) {
          talk.say(part);
          Loop.awaitIdle();
        }
        try (var talk = http.talk()) {
          talk.say(part);
          Loop.awaitIdle();
          talk.stream.reset();
        }
      }
      try (var talk = http.talk()) {
        assertEquals("hello", talk.say(GET).body());
      }
    }
  }

  // ---- bodies

  @Test
  void aChunkedBodyIsReadAsItComes() throws Exception {
    try (var http = simple();
        var talk = http.talk()) {
      talk.say(POST + "Transfer-Encoding: chunked\r\n\r\n3;a=b\r\none\r\n");
      talk.say("3\r\ntwo\r\n0\r\n\r\n" + GET);

      assertEquals("onetwo", talk.body());
      assertEquals("hello", talk.body());
    }
  }

  @Test
  void trailersAreThereAtTheEnd() throws Exception {
    HttpHandler echo =
        request -> {
          assertTrue(request.body().trailers().isEmpty());
          request.body().bytes(100);
          return Response.text(String.valueOf(request.body().trailers().get("x-sum")));
        };
    try (var http = HttpFixture.open(server -> server.route("POST", "/", echo));
        var talk = http.talk()) {
      talk.say(POST + "Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\nX-Sum: 7\r\n\r\n");

      assertEquals("7", talk.body());
    }
  }

  @Test
  void aBodyIsReadNoFasterThanTheHandlerTakesIt() throws Exception {
    List<Long> counts = new ArrayList<>();
    HttpHandler slow =
        request -> {
          Time.sleep(Duration.ofMillis(20));
          counts.add(request.body().copyTo(_ -> Coroutine.pause()));
          return Response.of(204);
        };
    int size = 8 << 20;
    try (var http = HttpFixture.open(server -> server.route("POST", "/", slow));
        var talk = http.talk()) {
      talk.say(POST + "Content-Length: " + size + "\r\n\r\n");
      var writing = Coroutine.spawn(() -> talk.stream.write(ByteBuffer.allocate(size)));
      Time.sleep(Duration.ofMillis(5));

      assertFalse(writing.status().isEnded(), "it is ahead of who reads");
      assertEquals(204, talk.status());
      assertEquals(List.of((long) size), counts);
    }
  }

  @Test
  void whatAHandlerDidNotReadIsSkippedOrClosesTheConnection() throws Exception {
    try (var http =
        HttpFixture.open(server -> server.route("POST", "/", _ -> Response.text("no")))) {
      try (var talk = http.talk()) {
        talk.say(POST + "Content-Length: 100000\r\n\r\n" + "x".repeat(100_000));
        talk.say(POST + "Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n");

        assertEquals("no", talk.body());
        assertEquals("no", talk.body());
        talk.say(POST + "Content-Length: 10000000\r\n\r\n");
        String head = talk.head();
        assertEquals("close", HttpFixture.field(head, "connection"));
        assertEquals("no", talk.rest());
      }
      try (var talk = http.talk()) {
        String chunks = "10000\r\n" + "x".repeat(1 << 16) + "\r\n";
        var endless =
            Coroutine.spawn(
                () -> {
                  talk.say(POST + "Transfer-Encoding: chunked\r\n\r\n");
                  while (true) {
                    talk.say(chunks);
                  }
                });
        assertEquals("no", talk.body());
        assertThrows(IOException.class, endless::await);
      }
    }
  }

  @Test
  void whoeverReadsTheBodyWhileHeAnswersHasAskedForItBefore() throws Exception {
    HttpHandler echo =
        request ->
            Response.stream(
                "x/y",
                out -> {
                  out.write("<");
                  request.body().copyTo(out);
                  out.write(">");
                });
    try (var http = HttpFixture.open(server -> server.route("POST", "/", echo));
        var talk = http.talk()) {
      talk.say("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
      assertEquals(100, talk.status());
      talk.say("one");
      assertEquals(200, talk.status());
      assertEquals("1\r\n<\r\n3\r\none\r\n1\r\n>\r\n0\r\n\r\n", talk.bytes(25));
    }
  }

  @Test
  void aClientThatAsksIsToldToGoOnWhenItsBodyIsRead() throws Exception {
    try (var http = simple();
        var talk = http.talk()) {
      talk.say(POST + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n");

      assertEquals("HTTP/1.1 100 Continue\r\n\r\n", talk.head());
      assertEquals("one", talk.say("one").body());
      assertEquals("hello", talk.say(GET).body());
    }
  }

  @Test
  void aClientThatAsksAndIsRefusedIsNotToldToGoOn() throws Exception {
    HttpHandler refuse =
        _ -> {
          throw new HttpFailure(401, "who are you");
        };
    try (var http = HttpFixture.open(server -> server.route("POST", "/", refuse))) {
      String answer = http.all(POST + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n");

      assertTrue(answer.startsWith("HTTP/1.1 401 "), answer);
      assertTrue(answer.contains("\r\nconnection: close\r\n"), answer);
    }
  }

  @Test
  void aBodyIsGoneWhenItsRequestWasAnswered() throws Exception {
    List<HttpBody> kept = new ArrayList<>();
    HttpHandler keep =
        request -> {
          kept.add(request.body());
          return Response.of(204);
        };
    try (var http = HttpFixture.open(server -> server.route("POST", "/", keep));
        var talk = http.talk()) {
      talk.say(POST + "Content-Length: 3\r\n\r\none");
      assertEquals(204, talk.status());

      assertThrows(IllegalStateException.class, () -> kept.getFirst().read(ByteBuffer.allocate(1)));
    }
  }

  @Test
  void aBodyThatIsTooLargeIsRefusedWhateverTheHandlerDoes() throws Exception {
    HttpHandler stubborn =
        request -> {
          try {
            request.body().copyTo(_ -> {});
          } catch (IOException _) {
            // as some do
          }
          return Response.text("fine");
        };
    var options = ServerOptions.DEFAULT.withLimits(HttpLimits.DEFAULT.withBody(10));
    try (var http = HttpFixture.open(options, server -> server.route("POST", "/", stubborn))) {
      String chunked = POST + "Transfer-Encoding: chunked\r\n\r\n";

      assertTrue(http.all(POST + "Content-Length: 11\r\n\r\n").startsWith("HTTP/1.1 413 "));
      assertTrue(http.all(chunked + "b\r\nhello world\r\n").startsWith("HTTP/1.1 413 "));
      assertTrue(
          http.all(chunked + "5\r\nhello\r\n".repeat(3) + "0\r\n\r\n").startsWith("HTTP/1.1 413 "));
      try (var talk = http.talk()) {
        assertEquals("fine", talk.say(chunked + "5\r\nhello\r\n".repeat(2) + "0\r\n\r\n").body());
      }
    }
  }

  // ---- answers

  @Test
  void aHeadIsAnsweredWithoutTheBody() throws Exception {
    try (var http = simple();
        var talk = http.talk()) {
      String head = talk.say("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n" + GET).head();

      assertEquals("5", HttpFixture.field(head, "content-length"));
      assertEquals("hello", talk.body());
    }
  }

  @Test
  void anAnswerWithoutABodySaysSoInItsHead() throws Exception {
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "GET",
                        "/{status}",
                        request ->
                            Response.text("x")
                                .withStatus(Integer.parseInt(request.value("status")))));
        var talk = http.talk()) {
      for (int status : new int[] {204, 304, 205}) {
        String head = talk.say("GET /" + status + " HTTP/1.1\r\nHost: a\r\n\r\n").head();

        assertTrue(head.startsWith("HTTP/1.1 " + status), head);
        assertEquals(status == 205 ? "0" : "", HttpFixture.field(head, "content-length"));
      }
      assertEquals("x", talk.say("GET /200 HTTP/1.1\r\nHost: a\r\n\r\n").body());
    }
  }

  @Test
  void largeAnswersAreWholeAndThoseBehindThem() throws Exception {
    byte[] large = new byte[3 << 20];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) ('a' + i % 26);
    }
    try (var http =
            HttpFixture.open(
                server -> server.route("GET", "/", _ -> Response.bytes("x/y", large)));
        var talk = http.talk()) {
      talk.say(GET.repeat(3));
      for (int i = 0; i < 3; i++) {
        assertEquals(
            Integer.toString(large.length), HttpFixture.field(talk.head(), "content-length"));
        assertEquals(
            new String(large, java.nio.charset.StandardCharsets.ISO_8859_1),
            talk.bytes(large.length));
      }
    }
  }

  @Test
  void aStreamGoesInChunks() throws Exception {
    HttpHandler count =
        _ ->
            Response.stream(
                "text/plain",
                out -> {
                  out.write("one");
                  out.write("");
                  out.flush();
                  out.write("two");
                  out.trailer("X-Sum", "7");
                });
    try (var http = HttpFixture.open(server -> server.route("GET", "/", count));
        var talk = http.talk()) {
      String head = talk.say(GET + GET).head();

      assertEquals("chunked", HttpFixture.field(head, "transfer-encoding"));
      assertEquals("", HttpFixture.field(head, "content-length"));
      String body = "3\r\none\r\n3\r\ntwo\r\n0\r\nX-Sum: 7\r\n\r\n";
      assertEquals(body, talk.bytes(body.length()));
      talk.head();
      assertEquals(body, talk.bytes(body.length()));
      String old = http.all("GET / HTTP/1.0\r\n\r\n");
      assertTrue(old.endsWith("\r\n\r\nonetwo"), old);
      String head2 = talk.say("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n").head();
      assertEquals("chunked", HttpFixture.field(head2, "transfer-encoding"));
    }
  }

  @Test
  void whoWritesAnAnswerWaitsForTheClient() throws Exception {
    int[] written = {0};
    HttpHandler endless =
        _ ->
            Response.stream(
                "x/y",
                out -> {
                  while (true) {
                    out.write(new byte[1 << 12]);
                    written[0]++;
                  }
                });
    try (var http = HttpFixture.open(server -> server.route("GET", "/", endless))) {
      try (var talk = http.talk()) {
        talk.say(GET).head();
        Loop.awaitIdle();
        int before = written[0];
        Loop.awaitIdle();

        assertEquals(before, written[0]);
        assertTrue(before < 10_000, () -> before + " pieces");
      }
    }
  }

  @Test
  void eventsAreLines() throws Exception {
    HttpHandler events =
        _ ->
            Response.events(
                out -> {
                  out.retry(Duration.ofSeconds(3));
                  out.send("tick\r\ntack");
                  out.send("news", "7", "x");
                  out.comment("still here");
                });
    try (var http = HttpFixture.open(server -> server.route("GET", "/", events))) {
      String all = http.all("GET / HTTP/1.0\r\n\r\n");

      assertTrue(all.contains("\r\ncontent-type: text/event-stream\r\n"), all);
      assertTrue(
          all.endsWith(
              "\r\n\r\n"
                  + "retry: 3000\n\n"
                  + "data: tick\n"
                  + "data: tack\n\n"
                  + "event: news\n"
                  + "id: 7\n"
                  + "data: x\n\n"
                  + ": still here\n\n"),
          all);
    }
  }

  @Test
  void anUpgradeHasTheStreamAndWhatCameBehind() throws Exception {
    HttpHandler echo =
        _ ->
            Response.upgrade(
                "echo",
                Headers.of("X-A", "b"),
                stream -> stream.write("> " + new String(stream.read().array(), 0, 5)));
    try (var http = HttpFixture.open(server -> server.route("GET", "/", echo))) {
      String all =
          http.all(
              "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\nhello");

      assertTrue(all.startsWith("HTTP/1.1 101 Switching Protocols\r\n"), all);
      assertTrue(all.contains("\r\nUpgrade: echo\r\n"), all);
      assertTrue(all.contains("\r\nconnection: upgrade\r\n"), all);
      assertTrue(all.endsWith("\r\n\r\n> hello"), all);
    }
  }

  // ---- the end

  @Test
  void closingEndsIdleConnectionsAtOnceAndOthersAfterTheirAnswer() throws Exception {
    var http =
        HttpFixture.open(
            server ->
                server.route(
                    "GET",
                    "/",
                    _ -> {
                      Time.sleep(Duration.ofMillis(100));
                      return Response.text("late");
                    }));
    try (http;
        var idle = http.talk();
        var busy = http.talk()) {
      assertEquals("late", idle.say(GET).body());
      busy.say(GET + GET);
      Loop.awaitIdle();
      http.server.close();

      assertEquals("", idle.rest());
      String head = busy.head();
      assertEquals("close", HttpFixture.field(head, "connection"));
      assertEquals("late", busy.rest());
      assertTrue(http.server.isClosed());
      assertThrows(IOException.class, () -> Tcp.connect(http.address()));
    }
  }

  @Test
  void cancellingIsClosingAndTheGraceIsTheHandlers() throws Exception {
    List<String> ended = new ArrayList<>();
    HttpServer server =
        HttpServer.open(
            new java.net.InetSocketAddress("127.0.0.1", 0),
            ServerOptions.DEFAULT.withGrace(Duration.ofMillis(50)));
    try (server) {
      server.route(
          "GET",
          "/",
          _ -> {
            try {
              Time.sleep(Duration.ofDays(1));
            } finally {
              ended.add("handler");
            }
            return Response.of(204);
          });
      var serving = Coroutine.spawn(server::serve);
      try (var talk = new HttpFixture.Talk(Tcp.connect(server.local()))) {
        talk.say(GET);
        Loop.awaitIdle();
        serving.cancel();
        while (!serving.status().isEnded()) {
          Time.sleep(Duration.ofMillis(5));
        }

        assertEquals(Status.CANCELLED, serving.status());
        assertEquals(List.of("handler"), ended);
        assertEquals("", talk.rest());
      }
    }
  }
}
