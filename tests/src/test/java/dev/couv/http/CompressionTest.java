// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.InLoop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers that are compressed for clients that take it.
@InLoop
class CompressionTest {
  static final String[] GZIP = {"accept-encoding", "gzip"};
  static final String PAGE = "<p>some words, and some more words</p>\n".repeat(100);
  static final String BOOK = PAGE.repeat(300);
  static final ServerOptions ON = ServerOptions.DEFAULT.withCompression(Compression.DEFAULT);

  @TempDir Path directory;

  private static HttpFixture open(Consumer<HttpServer> routes) throws IOException {
    return HttpFixture.open(ON, routes);
  }

  private static String[] gzip(String... more) {
    List<String> all = new ArrayList<>(List.of(GZIP));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  static void assertPacked(String expected, Asked answer) throws IOException {
    assertEquals("gzip", answer.header("content-encoding"));
    assertEquals(List.of("Accept-Encoding"), answer.headers().all("vary"));
    assertEquals(expected, answer.unpacked());
  }

  static void assertPlain(String expected, Asked answer) {
    assertEquals("", answer.header("content-encoding"));
    assertEquals(expected, answer.bytes());
  }

  @ParameterizedTest
  @EnumSource
  void textsAreCompressedForWhoTakesThat(HttpVersion version) throws Exception {
    try (var http =
        open(
            server ->
                server
                    .route("GET", "/page", _ -> Response.html(PAGE).withHeader("ETag", "\"a\""))
                    .route("GET", "/book", _ -> Response.text(BOOK).withHeader("Vary", "Cookie"))
                    .route("GET", "/none", _ -> Response.text(PAGE).withStatus(404))
                    .route("GET", "/small", _ -> Response.text("small"))
                    .route("GET", "/any", _ -> Response.text(PAGE).withHeader("Vary", "*")))) {
      Asked page = Asked.get(http, version, "/page", GZIP);
      assertPacked(PAGE, page);
      assertEquals(Integer.toString(page.bytes().length()), page.header("content-length"));
      assertEquals("W/\"a\"", page.header("etag"));
      assertEquals("text/html; charset=utf-8", page.header("content-type"));

      Asked plain = Asked.get(http, version, "/page");
      assertPlain(PAGE, plain);
      assertEquals("\"a\"", plain.header("etag"));
      assertEquals("Accept-Encoding", plain.header("vary"));

      Asked book = Asked.get(http, version, "/book", GZIP);
      assertEquals(BOOK, book.unpacked());
      assertEquals("", book.header("content-length"));
      assertEquals(List.of("Cookie", "Accept-Encoding"), book.headers().all("vary"));
      assertTrue(book.bytes().length() < BOOK.length() / 10);

      assertEquals(404, Asked.get(http, version, "/none", GZIP).status());
      assertPacked(PAGE, Asked.get(http, version, "/none", GZIP));
      assertPlain("small", Asked.get(http, version, "/small", GZIP));
      assertEquals("*", Asked.get(http, version, "/any", GZIP).header("vary"));
      assertPacked("small", Asked.get(http, version, "/small", "accept-encoding", "gzip, *;q=0"));
      assertPlain(PAGE, Asked.get(http, version, "/page", "accept-encoding", "br;q=1, gzip;q=0"));
    }
  }

  @Test
  void itIsOffUnlessItIsAskedFor() throws Exception {
    try (var http =
        HttpFixture.open(server -> server.route("GET", "/", _ -> Response.text(PAGE)))) {
      Asked answer = Asked.get(http, HttpVersion.HTTP_1_1, "/", GZIP);
      assertPlain(PAGE, answer);
      assertEquals("", answer.header("vary"));
    }
  }

  @Test
  void onlyWhatIsTextAndMayBeChanged() throws Exception {
    byte[] bytes = PAGE.getBytes(ISO_8859_1);
    try (var http =
        open(
            server ->
                server
                    .route("GET", "/type", r -> Response.bytes(r.parameter("is"), bytes))
                    .route(
                        "GET",
                        "/with",
                        r ->
                            Response.text(PAGE)
                                .withHeader(r.parameter("name"), r.parameter("value")))
                    .route(
                        "GET",
                        "/status/{n}",
                        r -> Response.text(PAGE).withStatus(Integer.parseInt(r.value("n"))))
                    .route("GET", "/events", _ -> Response.events(e -> e.send(PAGE))))) {
      HttpVersion version = HttpVersion.HTTP_1_1;
      for (String type :
          List.of("application/json", "text/csv", "IMAGE/SVG%2bxml;a=b", "application/ld%2Bjson")) {
        assertPacked(PAGE, Asked.get(http, version, "/type?is=" + type, GZIP));
      }
      for (String type :
          List.of("image/png", "application/octet-stream", "text/event-stream", "")) {
        Asked answer = Asked.get(http, version, "/type?is=" + type, GZIP);
        assertPlain(PAGE, answer);
        assertEquals("", answer.header("vary"));
      }
      for (String header :
          List.of(
              "name=content-encoding&value=br",
              "name=cache-control&value=public,+no-transform",
              "name=content-digest&value=sha-256",
              "name=content-type&value=image/png")) {
        assertEquals(PAGE, Asked.get(http, version, "/with?" + header, GZIP).bytes(), header);
      }
      assertPlain(PAGE, Asked.get(http, version, "/status/206", GZIP));
      for (int status : new int[] {204, 205}) {
        Asked answer = Asked.get(http, version, "/status/" + status, GZIP);
        assertPlain("", answer);
        assertEquals("", answer.header("vary"));
      }
      Asked events = Asked.get(http, version, "/events", GZIP);
      assertEquals("", events.header("content-encoding"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void filesAreWholeInPartOrKnown(HttpVersion version) throws Exception {
    Files.writeString(directory.resolve("a.txt"), BOOK);
    Files.writeString(directory.resolve("b.png"), BOOK);
    try (var http = open(server -> server.files("/", directory))) {
      Asked plain = Asked.get(http, version, "/a.txt");
      String tag = plain.header("etag");
      assertPlain(BOOK, plain);
      assertEquals("bytes", plain.header("accept-ranges"));

      Asked packed = Asked.get(http, version, "/a.txt", GZIP);
      assertPacked(BOOK, packed);
      assertEquals("W/" + tag, packed.header("etag"));
      assertEquals("none", packed.header("accept-ranges"));
      assertPlain(BOOK, Asked.get(http, version, "/b.png", GZIP));

      Asked known = Asked.get(http, version, "/a.txt", gzip("if-none-match", "W/" + tag));
      assertEquals(304, known.status());
      assertEquals("W/" + tag, known.header("etag"));
      assertEquals("Accept-Encoding", known.header("vary"));
      Asked other = Asked.get(http, version, "/a.txt", gzip("if-none-match", tag));
      assertEquals(304, other.status());
      assertEquals(tag, other.header("etag"));

      Asked part = Asked.get(http, version, "/a.txt", gzip("range", "bytes=3-6", "if-range", tag));
      assertEquals("206 some", part.toString());
      assertEquals("", part.header("content-encoding"));
      assertEquals(tag, part.header("etag"));
      assertPacked(
          BOOK,
          Asked.get(http, version, "/a.txt", gzip("range", "bytes=3-6", "if-range", "W/" + tag)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFileThatIsGoneIsStillNotThere(HttpVersion version) throws Exception {
    Path gone = directory.resolve("gone");
    try (var http =
        open(server -> server.route("GET", "/", _ -> Response.file("text/plain", gone, 0, 9999)))) {
      assertEquals(404, Asked.get(http, version, "/", GZIP).status());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aHeadSaysWhatTheAnswerWouldSay(HttpVersion version) throws Exception {
    Files.writeString(directory.resolve("a.txt"), BOOK);
    try (var http =
        open(
            server ->
                server
                    .route("GET", "/page", _ -> Response.html(PAGE).withHeader("ETag", "\"a\""))
                    .route("GET", "/book", _ -> Response.text(BOOK))
                    .route("GET", "/stream", _ -> Response.stream("text/x", out -> out.write(PAGE)))
                    .route(
                        "GET",
                        "/range",
                        _ -> Response.file("text/x", directory.resolve("a.txt"), 0, BOOK.length()))
                    .files("/f", directory))) {
      for (String path : List.of("/page", "/book", "/stream", "/range", "/f/a.txt")) {
        Asked get = Asked.get(http, version, path, GZIP);
        Asked head = Asked.ask(http, version, "HEAD", path, "", GZIP);

        assertEquals("gzip", get.header("content-encoding"), path);
        assertEquals(said(get), said(head), path);
        assertEquals("", head.bytes());
      }
    }
  }

  private static Set<String> said(Asked answer) {
    Set<String> said = new TreeSet<>();
    answer.headers().without("date").forEach(header -> said.add(header.toString()));
    return said;
  }

  @Test
  void aClientThatWaitsForAWordIsNotToldToSend() throws Exception {
    try (var http = open(server -> server.route("PUT", "/", _ -> Response.text(BOOK)));
        var talk = http.talk()) {
      talk.say(
          "PUT / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nExpect: 100-continue\r\n"
              + "Content-Length: 10\r\n\r\n");
      assertTrue(talk.head().startsWith("HTTP/1.1 200 "));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--http1.0", "--http1.1", "--http2-prior-knowledge"})
  void curlUnpacksIt(String version) throws Exception {
    Path file = Files.writeString(directory.resolve("a.txt"), BOOK);
    Path back = directory.resolve("back");
    try (var http =
        open(
            server ->
                server.route("GET", "/page", _ -> Response.text(PAGE)).files("/f", directory))) {
      String base = "http://127.0.0.1:" + http.address().getPort();
      assertEquals(PAGE, OtherClients.run("curl", "-sS", version, "--compressed", base + "/page"));
      assertEquals(
          "gzip",
          OtherClients.run(
              "curl",
              "-sS",
              version,
              "--compressed",
              "-o",
              back.toString(),
              "-w",
              "%header{content-encoding}",
              base + "/f/a.txt"));
      assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(back));
      assertEquals(PAGE, OtherClients.run("curl", "-sS", version, base + "/page"));
    }
  }

  @Test
  void whatIsNoSmallerGoesAsItIs() throws Exception {
    byte[] random = Files.readAllBytes(OtherClients.random(directory, "x", 2000));
    var all = new ByteArrayOutputStream();
    all.writeBytes(random);
    try (var http =
        open(server -> server.route("GET", "/", _ -> Response.bytes("text/x", random)))) {
      Asked answer = Asked.get(http, HttpVersion.HTTP_1_1, "/", GZIP);
      assertPlain(all.toString(ISO_8859_1), answer);
      assertFalse(answer.header("content-length").isEmpty());
    }
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> Compression.DEFAULT.withMinimum(-1));
    assertThrows(IllegalArgumentException.class, () -> Compression.DEFAULT.withLevel(0));
    assertThrows(IllegalArgumentException.class, () -> Compression.DEFAULT.withLevel(10));
    assertThrows(IllegalArgumentException.class, () -> Compression.DEFAULT.withAtOnce(0));
  }
}
