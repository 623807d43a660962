// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Status;
import dev.couv.net.Tcp;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// Connections: one request after the other, and how they end.
@InLoop
class HttpServerTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\n";

  // ---- connections

  @Test
  void aConnectionServesOneRequestAfterTheOther() throws Exception {
    try (var http = HttpFixture.simple();
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
    try (var http = HttpFixture.simple();
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
    try (var http = HttpFixture.simple();
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
    try (var http = HttpFixture.simple()) {
      String answer = http.all("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n" + GET);

      assertTrue(answer.contains("\r\nconnection: close\r\n"), answer);
      assertTrue(answer.endsWith("\r\n\r\nhello"), answer);
    }
  }

  @Test
  void aClientOfTheOldVersionIsClosedUnlessItAsks() throws Exception {
    try (var http = HttpFixture.simple();
        var talk = http.talk()) {
      assertTrue(http.all("GET / HTTP/1.0\r\n\r\n").endsWith("\r\n\r\nhello"));

      String head = talk.say("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").head();
      assertEquals("keep-alive", HttpFixture.field(head, "connection"));
      assertEquals("hello", talk.bytes(5));
      assertEquals("hello", talk.say(GET).body());
      String both = "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n";
      head = talk.say(both).head();
      assertEquals("close", HttpFixture.field(head, "connection"));
      assertEquals("hello", talk.rest());
    }
  }

  @Test
  void aClientThatEndsItsSideIsAnsweredStill() throws Exception {
    try (var http = HttpFixture.simple();
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
    try (var http = HttpFixture.simple()) {
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
            new InetSocketAddress("127.0.0.1", 0),
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
