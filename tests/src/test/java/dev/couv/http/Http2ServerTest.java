// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Loop;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a server does with requests that come over HTTP/2, as its clients see it.
@InLoop
class Http2ServerTest {
  private static final int INITIAL_WINDOW = 4;

  private static HttpFixture simple() throws IOException {
    return HttpFixture.simple(ServerOptions.DEFAULT);
  }

  @Test
  void requestsAreAnsweredOneAfterTheOther() throws Exception {
    try (var http = simple();
        var client = RawTwo.open(http)) {
      for (int id = 1; id < 20; id += 4) {
        var got = client.get(id, "/").answer(id);
        var posted = client.post(id + 2, "/").data(id + 2, "ping", true).answer(id + 2);

        assertEquals("200 hello", got.toString());
        assertEquals("5", got.header("content-length"));
        assertEquals("text/plain; charset=utf-8", got.header("content-type"));
        assertFalse(got.header("date").isEmpty());
        assertEquals("200 ping", posted.toString());
      }
    }
  }

  @Test
  void aPrefaceInPiecesIsOneAndWhatIsNearlyOneIsNot() throws Exception {
    try (var http = simple()) {
      try (var client = RawTwo.connect(http.address())) {
        for (char c : RawTwo.PREFACE.toCharArray()) {
          client.stream.write(String.valueOf(c));
          Loop.awaitIdle();
        }

        assertEquals("200 hello", client.settings().get(1, "/").answer(1).toString());
      }
      assertTrue(http.all("PRI * HTTP/2.0\r\n\r\nSO\r\n\r\n").startsWith("HTTP/1.1 505 "));
    }
  }

  @Test
  void aServerCanKeepToTheOldVersion() throws Exception {
    var limits = HttpLimits.DEFAULT.withStreams(0);
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT.withLimits(limits))) {
      assertTrue(http.all(RawTwo.PREFACE).startsWith("HTTP/1.1 505 "));
    }
  }

  @Test
  void handlersRunAtTheSameTime() throws Exception {
    Gate gate = new Gate();
    try (var http =
            HttpFixture.open(
                server ->
                    server
                        .route("GET", "/fast", _ -> Response.text("fast"))
                        .route(
                            "GET",
                            "/slow/{n}",
                            request -> {
                              gate.await();
                              return Response.text(request.value("n"));
                            }));
        var client = RawTwo.open(http)) {
      for (int id = 1; id <= 19; id += 2) {
        client.get(id, "/slow/" + id);
      }
      assertEquals("200 fast", client.get(21, "/fast").answer(21).toString());
      gate.open();

      for (int id = 1; id <= 19; id += 2) {
        assertEquals("200 " + id, client.answer(id).toString());
      }
    }
  }

  @Test
  void aHeadIsTheSameAsInTheOldVersion() throws Exception {
    List<Request> came = new ArrayList<>();
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "GET",
                        "/{path...}",
                        request -> {
                          came.add(request);
                          return Response.of(204)
                              .withHeader("X-Mixed-Case", "a")
                              .plusHeader("Upgrade", "x");
                        }));
        var client = RawTwo.open(http)) {
      var answer =
          client.get(1, "/a?b=c", "cookie", "one=1", "x", "y", "cookie", "two=2").answer(1);
      Request request = came.getFirst();

      assertEquals(HttpVersion.HTTP_2, request.version());
      assertEquals("/a?b=c", request.target());
      assertEquals("here", request.header("Host"));
      assertEquals(List.of("one=1; two=2"), request.headers().all("cookie"));
      assertEquals("y", request.header("X"));
      assertEquals(0, request.body().length());
      assertNotNull(request.remote());
      assertEquals("a", answer.header("x-mixed-case"));
      assertEquals("", answer.header("upgrade"));
      assertEquals("", answer.header("content-length"));
      assertEquals(204, answer.status);
    }
  }

  @Test
  void headHasNoBodyAndSaysItsLength() throws Exception {
    try (var http = simple();
        var client = RawTwo.open(http)) {
      var answer =
          client
              .frame(
                  RawTwo.HEADERS,
                  RawTwo.END_HEADERS | RawTwo.END_STREAM,
                  1,
                  RawTwo.request("HEAD", "/"))
              .answer(1);

      assertEquals("200 ", answer.toString());
      assertEquals("5", answer.header("content-length"));
      assertEquals(404, client.get(3, "/nobody").answer(3).status);
    }
  }

  @Test
  void trailersGoBothWays() throws Exception {
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "POST",
                        "/",
                        request -> {
                          String text = request.body().text(100);
                          String behind = request.body().trailers().get("sum");
                          return Response.stream(
                              "x/y",
                              out -> {
                                out.write(text);
                                out.trailer("Total", behind + "!");
                              });
                        }));
        var client = RawTwo.open(http)) {
      client.post(1, "/").data(1, "body", false);
      client.frame(
          RawTwo.HEADERS, RawTwo.END_HEADERS | RawTwo.END_STREAM, 1, RawTwo.head("sum", "4"));
      var answer = client.answer(1);

      assertEquals("200 body", answer.toString());
      assertEquals("4!", answer.trailers.get("total").toString());
    }
  }

  @Test
  void whoAsksFirstIsToldToGoOn(TestClock clock) throws Exception {
    try (var http =
            HttpFixture.open(
                server -> {
                  HttpFixture.simple(server);
                  server.route("POST", "/no", _ -> Response.of(403));
                });
        var client = RawTwo.open(http)) {
      client.post(1, "/", "expect", "100-continue");
      client.await(RawTwo.HEADERS);
      assertEquals(100, client.of(1).status);
      assertEquals("200 now", client.data(1, "now", true).answer(1).toString());

      client.post(3, "/no", "expect", "100-continue");
      assertEquals(403, client.answer(3).status);
      client.await(frame -> frame.type() == RawTwo.RST_STREAM && frame.stream() == 3);
      assertEquals(417, client.post(5, "/", "expect", "more").answer(5).status);
    }
  }

  @Test
  void aBodyIsNoFasterThanItsReader() throws Exception {
    Gate gate = new Gate();
    try (var http =
            HttpFixture.open(
                server ->
                    server
                        .route("GET", "/", _ -> Response.text("hello"))
                        .route(
                            "POST",
                            "/",
                            request -> {
                              gate.await();
                              return Response.text("" + request.body().copyTo(_ -> {}));
                            }));
        var client = RawTwo.open(http)) {
      client.post(1, "/");
      for (int i = 0; i < 3; i++) {
        client.data(1, "x".repeat(16_384), false);
      }
      client.data(1, "x".repeat(16_383), false);
      client.sync().get(3, "/").answer(3);
      List<RawTwo.Frame> opened = new ArrayList<>();
      gate.open();
      opened.add(
          client.await(frame -> frame.type() == RawTwo.WINDOW_UPDATE && frame.stream() == 1));
      client.data(1, "x".repeat(10_000), true);

      assertEquals("200 75535", client.answer(1).toString());
    }
  }

  @Test
  void anAnswerIsNoFasterThanItsClient() throws Exception {
    List<Integer> written = new ArrayList<>();
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "GET",
                        "/",
                        _ ->
                            Response.stream(
                                "x/y",
                                out -> {
                                  for (int i = 0; i < 100; i++) {
                                    out.write(new byte[10_000]);
                                    written.add(i);
                                  }
                                })));
        var client = RawTwo.open(http, INITIAL_WINDOW, 1000)) {
      client.get(1, "/").await(RawTwo.DATA);
      client.sync();
      assertEquals(1000, client.of(1).body.length());
      assertTrue(written.size() < 10, () -> "written: " + written.size());

      client.window(1, 2_000_000).window(0, 2_000_000);
      assertEquals(1_000_000, client.answer(1).body.length());
      assertEquals(100, written.size());
    }
  }

  @Test
  void smallWritesGoOutAtTheEndOfTheTurn() throws Exception {
    Gate more = new Gate();
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "GET",
                        "/",
                        _ ->
                            Response.events(
                                events -> {
                                  events.send("one");
                                  more.await();
                                  events.send("two");
                                })));
        var client = RawTwo.open(http)) {
      client.get(1, "/").await(RawTwo.DATA);
      assertEquals("data: one\n\n", client.of(1).body.toString());
      more.open();
      assertEquals("data: one\n\ndata: two\n\n", client.answer(1).body.toString());
    }
  }

  @Test
  void filesAreSentInPieces(@TempDir Path directory) throws Exception {
    byte[] bytes = new byte[200_000];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ('a' + i % 26);
    }
    Files.write(directory.resolve("f"), bytes);
    Files.write(directory.resolve("empty"), new byte[0]);
    try (var http = HttpFixture.open(server -> server.files("/", directory));
        var client = RawTwo.open(http, INITIAL_WINDOW, 1 << 20)) {
      client.window(0, 1 << 20);
      String all = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);

      assertEquals(all, client.get(1, "/f").answer(1).body.toString());
      var part = client.get(3, "/f", "range", "bytes=99990-100009").answer(3);
      assertEquals(206, part.status);
      assertEquals(all.substring(99990, 100010), part.body.toString());
      assertEquals("200 ", client.get(5, "/empty").answer(5).toString());
      assertEquals(404, client.get(7, "/other").answer(7).status);
    }
  }
}
