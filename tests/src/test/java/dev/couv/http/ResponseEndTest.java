// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.http.HttpFixture.Talk;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// What is closed with an answer, and bodies whose length is told before they are written: by HTTP/1.1 and by HTTP/2.
@InLoop
final class ResponseEndTest {
  private final List<String> closed = new ArrayList<>();
  private final List<Throwable> told = new ArrayList<>();

  private AutoCloseable noting(String name) {
    return () -> closed.add(name);
  }

  private Response twice(Response response) {
    return response.closing(noting("first")).closing(noting("last"));
  }

  private HttpFixture open() throws IOException {
    return HttpFixture.open(
        ServerOptions.DEFAULT.withOnFailure((_, failure) -> told.add(failure)),
        server ->
            server
                .route("GET", "/text", _ -> twice(Response.text("text")))
                .route("GET", "/stream", _ -> twice(Response.stream("", out -> out.write("abc"))))
                .route("GET", "/known", _ -> twice(Response.of(304)))
                .route("GET", "/sized", _ -> Response.stream("x/y", 5, out -> out.write("12345")))
                .route("GET", "/less", _ -> twice(Response.stream("", 5, out -> out.write("1"))))
                .route("GET", "/more", _ -> twice(Response.stream("", 2, out -> out.write("123"))))
                .route(
                    "GET",
                    "/torn",
                    _ ->
                        twice(
                            Response.stream(
                                "",
                                _ -> {
                                  throw new IOException("torn");
                                })))
                .route(
                    "GET",
                    "/failing",
                    _ ->
                        Response.text("text")
                            .closing(noting("other"))
                            .closing(
                                () -> {
                                  throw new IOException("not closed");
                                })));
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
  }

  /// Answers of the one that is next are behind the closing of the one before.
  private void assertClosed(Talk talk) throws IOException {
    talk.say(get("/sized")).body();
    assertEquals(List.of("last", "first"), closed);
    closed.clear();
  }

  @Test
  void aMediaTypeThatCouldTearAHeadIsRefusedWhereverItIsSaid() {
    Content.Writing writing = _ -> {};
    Path path = Path.of("x");
    for (String type : List.of("a/b\r\nSet-Cookie: c=d", "a/b\n", "a\0", "\u010a", "a/\u7f0d")) {
      assertRefused(() -> new Content.Bytes(type, new byte[0]));
      assertRefused(() -> new Content.FileRange(type, path, 0, 0));
      assertRefused(() -> new Content.Streamed(type, writing));
      assertRefused(() -> new Content.Streamed(type, 3, writing));
      assertRefused(() -> Response.bytes(type));
    }
    assertRefused(() -> new Content.FileRange("", path, -1, 0));
    assertRefused(() -> new Content.FileRange("", path, 0, -1));
    assertRefused(() -> new Content.Streamed("", -2, writing));
    assertEquals("x/y", new Content.Bytes("x/y", new byte[0]).type());
  }

  @Test
  void alsoThatOfAnOpenFile(@TempDir Path dir) throws Exception {
    try (OpenFile file = Fs.open(Files.writeString(dir.resolve("f"), "abc"))) {
      assertRefused(() -> new Content.OpenRange("a\r\nb: c", file, 0, 3));
      assertRefused(() -> new Content.OpenRange("", file, -1, 3));
      assertRefused(() -> new Content.OpenRange("", file, 0, -3));
    }
  }

  private static void assertRefused(Executable making) {
    assertThrows(IllegalArgumentException.class, making);
  }

  @Test
  void whatBelongsToAnAnswerIsClosedHoweverItEnds() throws Exception {
    try (var http = open();
        Talk talk = http.talk()) {
      assertEquals("text", talk.say(get("/text")).body());
      assertClosed(talk);
      talk.say("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n").head();
      assertClosed(talk);
      assertEquals(304, talk.say(get("/known")).status());
      assertClosed(talk);
      assertEquals("text", talk.say(get("/failing")).body());
      assertEquals("12345", talk.say(get("/sized")).body());
      assertEquals(List.of("other"), closed);
      assertEquals("not closed", told.getFirst().getMessage());
    }
    closed.clear();
    for (String path : List.of("/torn", "/less", "/more")) {
      try (var http = open();
          Talk talk = http.talk()) {
        talk.say(get(path));
        // A connection that is torn may be torn before anything was read.
        assertThrows(IOException.class, () -> talk.head().concat(talk.bytes(5)));
      }
      assertEquals(List.of("last", "first"), closed);
      closed.clear();
    }
    assertEquals(4, told.size());
    assertTrue(told.get(2) instanceof EOFException, told::toString);
  }

  @Test
  void alsoByHttp2() throws Exception {
    try (var http = open();
        var client = RawTwo.open(http)) {
      assertEquals("200 text", client.get(1, "/text").answer(1).toString());
      assertEquals("200 12345", client.get(3, "/sized").answer(3).toString());
      assertEquals(List.of("last", "first"), closed);
      closed.clear();
      assertEquals(304, client.get(5, "/known").answer(5).status);
      assertEquals(2, client.get(7, "/less").answer(7).reset, "INTERNAL_ERROR");
      assertEquals(2, client.get(9, "/more").answer(9).reset, "INTERNAL_ERROR");
      client.sync();
      assertEquals(6, closed.size());
    }
  }

  @Test
  void aHandlerThatIsCancelledWhileItsAnswerIsSentClosesIt(TestClock clock) throws Exception {
    var sending = new dev.couv.sync.Gate();
    try (var http =
        HttpFixture.open(
            server ->
                server.route(
                    "GET",
                    "/",
                    _ ->
                        twice(
                            Response.stream(
                                "",
                                out -> {
                                  sending.open();
                                  Coroutine.halt();
                                }))))) {
      try (Talk talk = http.talk()) {
        talk.say(get("/"));
        sending.await();
      }
    }
    assertEquals(List.of("last", "first"), closed);
  }

  /// Cancelled, a close that waits is left before its end; those behind it are not.
  @Test
  void oneThatWaitsDoesNotKeepTheOthersOpen(TestClock clock) throws Exception {
    AutoCloseable waiting =
        () -> {
          closed.add("begun");
          Time.sleep(Duration.ofMillis(1));
          closed.add("ended");
        };
    Content.Writing endless =
        out -> {
          out.write("x");
          out.flush();
          Coroutine.halt();
        };
    HttpHandler handler =
        _ ->
            Response.stream("x/y", endless)
                .closing(noting("first"))
                .closing(waiting)
                .closing(waiting)
                .closing(noting("last"));
    var http = HttpFixture.open(server -> server.route("GET", "/", handler));
    try (Talk talk = http.talk();
        var client = RawTwo.open(http)) {
      talk.say(get("/")).head();
      client.get(1, "/").await(RawTwo.DATA);
      http.close();
    }
    assertEquals(8, closed.size(), closed::toString);
    assertEquals(2, closed.stream().filter("first"::equals).count());
    assertEquals(10, clock.elapsed().toSeconds());
  }

  @Test
  void aBodyOfKnownLengthSaysSoAndStays() throws Exception {
    try (var http = open();
        Talk talk = http.talk()) {
      String head = talk.say(get("/sized")).head();
      assertEquals("5", HttpFixture.field(head, "content-length"));
      assertFalse(head.contains("chunked"), head);
      assertEquals("12345", talk.bytes(5));
      String old = "GET /sized HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
      assertEquals("12345", talk.say(old).body());
      assertEquals("12345", talk.say(old).body());
      head = talk.say("HEAD /sized HTTP/1.1\r\nHost: a\r\n\r\n").head();
      assertEquals("5", HttpFixture.field(head, "content-length"));
    }
    assertThrows(IllegalArgumentException.class, () -> Response.stream("", -1, out -> {}));
  }

  @Test
  void aClientSendsABodyOfKnownLength() throws Exception {
    try (var http =
            HttpFixture.open(
                server ->
                    server.route(
                        "POST",
                        "/",
                        request ->
                            Response.text(
                                request.header("content-length")
                                    + request.header("transfer-encoding")
                                    + request.body().text(100))));
        WebClient client = WebClient.open()) {
      ClientRequest post =
          ClientRequest.of("POST", "http://127.0.0.1:" + http.address().getPort() + "/");
      ClientRequest sized = post.withStream("x/y", 3, out -> out.write("abc"));
      try (ClientResponse answer = client.send(sized)) {
        assertEquals("3nullabc", answer.body().text(100));
      }
      ClientRequest less = post.withStream("x/y", 3, out -> out.write("a"));
      assertThrows(IOException.class, () -> client.send(less).close());
      assertThrows(IllegalArgumentException.class, () -> post.withStream("x/y", -1, _ -> {}));
    }
  }

  @Test
  void anOpenFileIsSentAndClosed(@TempDir Path directory) throws Exception {
    Path path = Files.writeString(directory.resolve("f"), "0123456789");
    List<OpenFile> files = new ArrayList<>();
    HttpHandler handler =
        _ -> {
          OpenFile file = Fs.open(path);
          files.add(file);
          return Response.file("x/y", file, 2, 3);
        };
    try (var http = HttpFixture.open(server -> server.route("GET", "/", handler));
        Talk talk = http.talk();
        var client = RawTwo.open(http)) {
      assertEquals("234", talk.say(get("/")).body());
      assertEquals("200 234", client.get(1, "/").answer(1).toString());
      talk.say("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n").head();
      assertEquals("234", talk.say(get("/")).body());
    }
    assertEquals(4, files.size());
    files.forEach(file -> assertTrue(file.isClosed()));
  }

  @Test
  void severalHeadersAtOnce() {
    Response response =
        Response.text("")
            .withHeader("A", "1")
            .withHeader("B", "2")
            .withHeaders(Headers.of("a", "3", "C", "4", "c", "5"));
    assertEquals(List.of("3"), response.headers().all("A"));
    assertEquals(List.of("2"), response.headers().all("B"));
    assertArrayEquals(new Object[] {"4", "5"}, response.headers().all("C").toArray());
    Headers framing = Headers.of("Content-Length", "3");
    assertThrows(IllegalArgumentException.class, () -> response.withHeaders(framing));
  }
}
