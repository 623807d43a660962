// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// What handlers answer, as it reaches the client.
@InLoop
class HttpAnswersTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  @Test
  void aHeadIsAnsweredWithoutTheBody() throws Exception {
    try (var http = HttpFixture.simple();
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
        assertEquals(new String(large, ISO_8859_1), talk.bytes(large.length));
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

  /// More than the kernels of both sides take.
  private static final int LARGE = 1 << 24;

  @Test
  void severalCoroutinesSendEventsOneAfterTheOther() throws Exception {
    Gate both = new Gate();
    HttpHandler events =
        _ ->
            Response.events(
                out -> {
                  var first = Coroutine.spawn(() -> out.send("x".repeat(LARGE)));
                  Coroutine.pause();
                  var second = Coroutine.spawn(() -> out.send("second"));
                  Coroutine.pause();
                  both.open();
                  first.await();
                  second.await();
                });
    try (var http = HttpFixture.open(server -> server.route("GET", "/", events));
        var talk = http.talk()) {
      talk.say("GET / HTTP/1.0\r\n\r\n").head();
      both.await();

      assertEquals("data: ", talk.bytes(6));
      talk.in.skip(LARGE);
      assertEquals("\n\ndata: second\n\n", talk.rest());
    }
  }

  /// A last word is no wait, unless the client is slow.
  @Test
  void aSourceThatIsCancelledMaySayALastWord() throws Exception {
    Gate said = new Gate();
    HttpHandler events =
        _ ->
            Response.events(
                out -> {
                  try {
                    Time.timeout(Duration.ofMillis(1), () -> farewell(out, said));
                  } catch (TimeoutException over) {
                    // as it should
                  }
                });
    try (var http = HttpFixture.open(server -> server.route("GET", "/", events))) {
      String all = http.all("GET / HTTP/1.0\r\n\r\n");

      assertTrue(all.endsWith("\r\n\r\ndata: bye\n\n"), all);
    }
  }

  private static void farewell(ServerEvents out, Gate said) throws IOException {
    try {
      said.await();
    } finally {
      out.send("bye");
    }
  }

  /// What is left of a body would be the first words of the other protocol, and a client that has not asked does not speak it.
  /// A quiet source is ended when its client has gone: a comment finds that out.
  @Test
  void aClientThatLeavesAQuietSourceIsNoticed(TestClock clock) throws Exception {
    Gate left = new Gate();
    HttpHandler quiet =
        _ ->
            Response.events(
                Duration.ofSeconds(20),
                events -> {
                  try {
                    events.send("first");
                    new Gate().await();
                  } finally {
                    left.open();
                  }
                });
    List<Throwable> told = new ArrayList<>();
    try (var http =
        HttpFixture.open(
            ServerOptions.DEFAULT.withOnFailure((_, failure) -> told.add(failure)),
            server -> server.route("GET", "/", quiet))) {
      try (var talk = http.talk()) {
        talk.say("GET / HTTP/1.1\r\nHost: a\r\n\r\n").head();
        assertEquals("d\r\ndata: first\n\n\r\n", talk.bytes(18));
        for (int i = 1; i <= 10; i++) {
          assertEquals("4\r\n: \n\n\r\n", talk.bytes(9));
          assertEquals(20 * i, clock.elapsed().toSeconds());
        }
        assertTrue(left.isClosed());
      }

      left.await();

      assertTrue(clock.elapsed().toSeconds() <= 300, () -> "after " + clock.elapsed());
    }
    assertEquals(List.of(), told);
    assertThrows(IllegalArgumentException.class, () -> Response.events(Duration.ZERO, _ -> {}));
  }

  @Test
  void aSourceWithoutSilenceIsLeftAlone(TestClock clock) throws Exception {
    HttpHandler busy =
        _ ->
            Response.events(
                Duration.ofSeconds(20),
                events -> {
                  for (int i = 0; i < 5; i++) {
                    events.send("x");
                    Time.sleep(Duration.ofSeconds(15));
                  }
                });
    try (var http = HttpFixture.open(server -> server.route("GET", "/", busy))) {
      String all = http.all("GET / HTTP/1.0\r\n\r\n");

      assertTrue(all.endsWith("\r\n\r\n" + "data: x\n\n".repeat(5)), all);
      assertEquals(75, clock.elapsed().toSeconds());
    }
  }

  @Test
  void anUpgradeThatWouldBeMisunderstoodIsRefused() throws Exception {
    List<Throwable> told = new ArrayList<>();
    HttpHandler echo =
        request -> {
          if (request.target().equals("/read")) {
            request.body().bytes(100);
          }
          return Response.upgrade("echo", Headers.EMPTY, stream -> stream.write("taken over"));
        };
    try (var http =
        HttpFixture.open(
            ServerOptions.DEFAULT.withOnFailure((_, failure) -> told.add(failure)),
            server -> server.route("*", "/{path}", echo))) {
      String asks = " HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: echo\r\n";
      String body = "Content-Length: 5\r\n\r\nhello";
      String chunks = "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
      for (String unread : List.of(body, chunks, "Expect: 100-continue\r\n" + body)) {
        String all = http.all("POST /" + "x" + asks + unread);
        assertTrue(all.startsWith("HTTP/1.1 500 "), all);
        assertTrue(all.contains("\r\nconnection: close\r\n"), all);
      }
      assertEquals(3, told.size(), told::toString);
      for (String head :
          List.of(
              " HTTP/1.1\r\nHost: a\r\n",
              " HTTP/1.1\r\nHost: a\r\nUpgrade: echo\r\n",
              " HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: other\r\n",
              asks.replace("1.1", "1.0"))) {
        String all = http.all("GET /x" + head + "\r\n");
        assertTrue(all.startsWith("HTTP/1.1 426 "), all);
        assertTrue(all.contains("\r\nUpgrade: echo\r\n"), all);
        assertTrue(all.contains("\r\nconnection: close\r\n"), all);
      }
      for (String read : List.of(body, chunks)) {
        String all = http.all("POST /read" + asks + read);
        assertTrue(all.startsWith("HTTP/1.1 101 "), all);
        assertTrue(all.endsWith("\r\n\r\ntaken over"), all);
      }
      assertEquals(3, told.size(), told::toString);
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
}
