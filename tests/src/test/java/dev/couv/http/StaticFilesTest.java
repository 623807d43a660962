// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.fs.Fifo;
import dev.couv.fs.NotRegularFileException;
import dev.couv.http.HttpFixture.Talk;
import dev.couv.loop.CallCount;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of a directory, in whole and in part, and nothing beside them.
@InLoop
class StaticFilesTest {
  private static final Instant MODIFIED = Instant.parse("2024-05-06T07:08:09Z");
  private static final String DATE = "Mon, 06 May 2024 07:08:09 GMT";

  @TempDir Path temporary;
  private Path files;

  @BeforeEach
  void make() throws IOException {
    files = Files.createDirectories(temporary.resolve("public"));
    Files.writeString(temporary.resolve("secret"), "secret");
    Files.writeString(files.resolve("digits.txt"), "0123456789");
    Files.setLastModifiedTime(files.resolve("digits.txt"), FileTime.from(MODIFIED));
    Files.createDirectories(files.resolve("sub"));
    Files.writeString(files.resolve("sub/index.html"), "<p>index");
    Files.writeString(files.resolve(".hidden"), "hidden");
    Files.writeString(files.resolve("a b.css"), "x");
    Files.write(files.resolve("empty.bin"), new byte[0]);
    Files.createSymbolicLink(files.resolve("out"), temporary.resolve("secret"));
    Files.createSymbolicLink(files.resolve("up"), temporary);
    Files.createSymbolicLink(files.resolve("in"), files.resolve("digits.txt"));
    Files.createSymbolicLink(files.resolve("dot"), files.resolve(".hidden"));
    Files.createDirectories(files.resolve(".git"));
    Files.writeString(files.resolve(".git/x"), "hidden");
    Files.createSymbolicLink(files.resolve("dots"), files.resolve(".git"));
    Files.createDirectories(temporary.resolve("public-too"));
    Files.writeString(temporary.resolve("public-too/x"), "secret");
    Files.createSymbolicLink(files.resolve("neighbour"), temporary.resolve("public-too/x"));
  }

  private HttpFixture open() throws IOException {
    return HttpFixture.open(server -> server.files("/s", files));
  }

  private static String get(String path, String... headers) {
    return "GET "
        + path
        + " HTTP/1.1\r\nHost: a\r\n"
        + String.join("", List.of(headers).stream().map(header -> header + "\r\n").toList())
        + "\r\n";
  }

  @Test
  void thePathItselfLeadsToTheDirectory() throws Exception {
    try (var http = open();
        Talk talk = http.talk()) {
      for (String path : List.of("/s", "/s?a=1")) {
        String head = talk.say(get(path)).head();
        assertTrue(head.startsWith("HTTP/1.1 301 "), head);
        assertEquals(path.replace("/s", "/s/"), HttpFixture.field(head, "location"));
      }
      assertTrue(talk.say(get("/t")).head().startsWith("HTTP/1.1 404 "));
    }
  }

  @Test
  void aFileIsSentWithWhatIsKnownOfIt() throws Exception {
    try (var http = open();
        Talk talk = http.talk()) {
      String head = talk.say(get("/s/digits.txt")).head();

      assertTrue(head.startsWith("HTTP/1.1 200 "), head);
      assertEquals("10", HttpFixture.field(head, "content-length"));
      assertEquals("text/plain; charset=utf-8", HttpFixture.field(head, "content-type"));
      assertEquals(DATE, HttpFixture.field(head, "last-modified"));
      assertEquals("bytes", HttpFixture.field(head, "accept-ranges"));
      assertEquals("0123456789", talk.bytes(10));
      assertEquals("0123456789", talk.say(get("/s/in")).body());
      assertEquals("x", talk.say(get("/s/a%20b.css")).body());
      assertEquals("", talk.say(get("/s/empty.bin")).body());
      assertEquals("<p>index", talk.say(get("/s/sub/")).body());
      String moved = talk.say(get("/s/sub?x=y")).head();
      assertTrue(moved.startsWith("HTTP/1.1 301 "), moved);
      assertEquals("/s/sub/?x=y", HttpFixture.field(moved, "location"));
      String whole =
          talk.say("HEAD /s/digits.txt HTTP/1.1\r\nHost: a\r\nRange: bytes=1-2\r\n\r\n").head();
      assertTrue(whole.startsWith("HTTP/1.1 200 "), whole);
      assertEquals("10", HttpFixture.field(whole, "content-length"));
      String asked = talk.say("HEAD /s/digits.txt HTTP/1.1\r\nHost: a\r\n\r\n").head();
      assertEquals("10", HttpFixture.field(asked, "content-length"));
      assertEquals(405, talk.say("PUT /s/x HTTP/1.1\r\nHost: a\r\n\r\n").status());
    }
  }

  @Test
  void nothingElseIsSent() throws Exception {
    try (var http = open()) {
      for (String path :
          List.of(
              "/s/../secret",
              "/s/%2e%2e/secret",
              "/s/..%2fsecret",
              "/s/sub/..%2f..%2fsecret",
              "/s/%2fetc/passwd",
              "/s//etc/passwd",
              "/s/..%5csecret",
              "/s/out",
              "/s/up/secret",
              "/s/neighbour",
              "/s/up",
              "/s/up/",
              "/s/dot",
              "/s/dots/x",
              "/s/.hidden",
              "/s/sub/.%2e/.hidden",
              "/s/digits.txt/",
              "/s/digits.txt/x",
              "/s/nothing",
              "/s/%00",
              "/s/digits.txt%00.html",
              "/s/" + "x".repeat(5000))) {
        try (Talk talk = http.talk()) {
          int status = talk.say(get(path)).status();

          assertTrue(status == 404 || status == 400, path + " " + status);
        }
      }
    }
  }

  @Test
  void partsAreSent() throws Exception {
    try (var http = open();
        Talk talk = http.talk()) {
      assertPart(talk, "bytes=0-3", "0123", "bytes 0-3/10");
      assertPart(talk, "bytes=4-4", "4", "bytes 4-4/10");
      assertPart(talk, "bytes=8-", "89", "bytes 8-9/10");
      assertPart(talk, "bytes=8-99999999999999999999", "89", "bytes 8-9/10");
      assertPart(talk, "bytes=-3", "789", "bytes 7-9/10");
      assertPart(talk, "bytes=-99", "0123456789", "bytes 0-9/10");
      for (String whole :
          List.of("bytes=0-1,3-4", "bytes=3-2", "bytes=x-", "bytes=-", "lines=1-2", "bytes=1--2")) {
        assertEquals("0123456789", talk.say(get("/s/digits.txt", "Range: " + whole)).body(), whole);
      }
      for (String none : List.of("bytes=10-", "bytes=10-20", "bytes=-0")) {
        String head = talk.say(get("/s/digits.txt", "Range: " + none)).head();

        assertTrue(head.startsWith("HTTP/1.1 416 "), head);
        assertEquals("bytes */10", HttpFixture.field(head, "content-range"));
      }
    }
  }

  private static void assertPart(Talk talk, String range, String part, String said)
      throws IOException {
    String head = talk.say(get("/s/digits.txt", "Range: " + range)).head();

    assertTrue(head.startsWith("HTTP/1.1 206 "), head);
    assertEquals(said, HttpFixture.field(head, "content-range"));
    assertEquals(part, talk.bytes(part.length()));
  }

  @Test
  void whatTheClientHasIsNotSentAgain() throws Exception {
    try (var http = open();
        Talk talk = http.talk()) {
      String head = talk.say(get("/s/digits.txt")).head();
      talk.bytes(10);
      String tag = HttpFixture.field(head, "etag");

      assertEquals(304, status(talk, "If-None-Match: " + tag));
      assertEquals(304, status(talk, "If-None-Match: \"x\", W/" + tag));
      assertEquals(304, status(talk, "If-None-Match: *"));
      assertEquals(200, status(talk, "If-None-Match: \"x\""));
      assertEquals(304, status(talk, "If-Modified-Since: " + DATE));
      assertEquals(304, status(talk, "If-Modified-Since: Tue, 07 May 2024 07:08:09 GMT"));
      assertEquals(200, status(talk, "If-Modified-Since: Sun, 05 May 2024 07:08:09 GMT"));
      assertEquals(304, status(talk, "If-Modified-Since: Tuesday, 07-May-24 07:08:09 GMT"));
      assertEquals(200, status(talk, "If-Modified-Since: Sunday, 05-May-24 07:08:09 GMT"));
      assertEquals(200, status(talk, "If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT"));
      assertEquals(304, status(talk, "If-Modified-Since: Tue May  7 07:08:09 2024"));
      assertEquals(200, status(talk, "If-Modified-Since: Sun May  5 07:08:09 2024"));
      assertEquals(200, status(talk, "If-Modified-Since: yesterday"));
      assertEquals(200, status(talk, "If-None-Match: \"x\"", "If-Modified-Since: " + DATE));
      assertEquals(200, status(talk, "If-Match: " + tag));
      assertEquals(200, status(talk, "If-Match: \"x\", " + tag));
      assertEquals(412, status(talk, "If-Match: \"x\""));
      assertEquals(412, status(talk, "If-Match: W/" + tag));
      assertEquals(412, status(talk, "If-Unmodified-Since: Sun, 05 May 2024 07:08:09 GMT"));
      assertEquals(200, status(talk, "If-Unmodified-Since: " + DATE));
      assertEquals(206, status(talk, "Range: bytes=1-2", "If-Range: " + tag));
      assertEquals(206, status(talk, "Range: bytes=1-2", "If-Range: " + DATE));
      assertEquals(200, status(talk, "Range: bytes=1-2", "If-Range: \"x\""));
      assertEquals(200, status(talk, "Range: bytes=1-2", "If-Range: W/" + tag));
      Files.writeString(files.resolve("digits.txt"), "9876543210");
      assertEquals(200, status(talk, "If-None-Match: " + tag));
    }
  }

  private static int status(Talk talk, String... headers) throws IOException {
    String head = talk.say(get("/s/digits.txt", headers)).head();
    String length = HttpFixture.field(head, "content-length");
    talk.bytes(length.isEmpty() ? 0 : Integer.parseInt(length));
    return Integer.parseInt(head.substring(9, 12));
  }

  @Test
  void largeFilesAreWhole() throws Exception {
    byte[] large = new byte[5 << 20];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i * 31 >> 3);
    }
    Files.write(files.resolve("large"), large);
    try (var http = open();
        Talk talk = http.talk()) {
      talk.say(get("/s/large").repeat(2) + get("/s/digits.txt"));

      for (int i = 0; i < 2; i++) {
        talk.head();
        org.junit.jupiter.api.Assertions.assertArrayEquals(large, talk.in.readBytes(large.length));
      }
      assertEquals("0123456789", talk.body());
    }
  }

  @Test
  void aFileThatHasGoneIsSaidSoAndOneThatCannotBeReadIsTold() throws Exception {
    List<Throwable> told = new java.util.ArrayList<>();
    var options = ServerOptions.DEFAULT.withOnFailure((_, failure) -> told.add(failure));
    Path gone = temporary.resolve("gone");
    HttpHandler file = _ -> Response.file("x/y", gone, 0, 10);
    HttpHandler directory = _ -> Response.file("x/y", temporary.resolve("secret/x"), 0, 10);
    HttpHandler shorter = _ -> Response.file("x/y", temporary.resolve("secret"), 0, 10);
    try (var http =
            HttpFixture.open(
                options,
                server ->
                    server
                        .route("GET", "/gone", file)
                        .route("GET", "/not", directory)
                        .route("GET", "/short", shorter));
        Talk talk = http.talk()) {
      assertEquals("it is not there any more\n", talk.say(get("/gone")).body());
      assertTrue(told.isEmpty());
      assertEquals("something went wrong here\n", talk.say(get("/not")).body());
      assertEquals(1, told.size());
      talk.say(get("/short")).head();
      org.junit.jupiter.api.Assertions.assertThrows(IOException.class, () -> talk.bytes(10));
      assertEquals(2, told.size());
    }
  }

  @Test
  void theDirectoryIsLookedForWhenItIsNeeded() throws Exception {
    Path later = temporary.resolve("later");
    try (var http = HttpFixture.open(server -> server.files("/", later));
        Talk talk = http.talk()) {
      assertEquals("nothing at /x\n", talk.say(get("/x")).body());
      Files.createDirectories(later);
      Files.write(later.resolve("x"), "there".getBytes(UTF_8));
      assertEquals("there", talk.say(get("/x")).body());
    }
  }

  @Test
  void whatChangesIsSeenAtOnce() throws Exception {
    Path changing = files.resolve("changing");
    Files.writeString(changing, "one");
    try (var http = open();
        Talk talk = http.talk()) {
      for (int i = 0; i < 3; i++) {
        assertEquals("one", talk.say(get("/s/changing")).body());
      }
      Files.writeString(changing, "longer");
      assertEquals("longer", talk.say(get("/s/changing")).body());
      Files.writeString(files.resolve("new"), "moved");
      Files.move(files.resolve("new"), changing, StandardCopyOption.REPLACE_EXISTING);
      assertEquals("moved", talk.say(get("/s/changing")).body());
      Files.delete(changing);
      assertEquals("nothing at /s/changing\n", talk.say(get("/s/changing")).body());
      Files.createDirectories(changing);
      assertTrue(talk.say(get("/s/changing")).head().startsWith("HTTP/1.1 301 "));
      Files.writeString(changing.resolve("index.html"), "index");
      assertEquals("index", talk.say(get("/s/changing/")).body());
    }
  }

  @Test
  void anIndexThatIsNoFileIsNone() throws Exception {
    Files.createDirectories(files.resolve("nested/index.html"));
    Files.createDirectories(files.resolve("piped"));
    Fifo.at(files.resolve("piped/index.html"));
    var told = new ArrayList<Throwable>();
    var options = ServerOptions.DEFAULT.withOnFailure((_, failure) -> told.add(failure));
    try (var http = HttpFixture.open(options, server -> server.files("/s", files));
        Talk talk = http.talk()) {
      assertEquals("nothing at /s/nested/\n", talk.say(get("/s/nested/")).body());
      assertEquals("nothing at /s/piped/\n", talk.say(get("/s/piped/")).body());
      assertTrue(talk.say(get("/s/piped/")).head().startsWith("HTTP/1.1 404 "));
    }
    assertEquals(List.of(), told);
  }

  @Test
  void linksThatChangeLeadElsewhereAtOnce() throws Exception {
    Path link = files.resolve("in");
    try (var http = open();
        Talk talk = http.talk()) {
      assertEquals("0123456789", talk.say(get("/s/in")).body());
      Files.delete(link);
      Files.createSymbolicLink(link, temporary.resolve("secret"));
      assertEquals("nothing at /s/in\n", talk.say(get("/s/in")).body());
    }
  }

  /// As deployments do it: the next state is made beside, and then a link leads there.
  @Test
  void theDirectoryMayBeALinkThatIsMovedAtAnyTime() throws Exception {
    Path link = temporary.resolve("current");
    for (String each : List.of("one", "two")) {
      Files.createDirectories(temporary.resolve(each));
      Files.writeString(temporary.resolve(each).resolve("x"), each);
    }
    Files.createSymbolicLink(temporary.resolve("two/old"), temporary.resolve("one/x"));
    try (var http = HttpFixture.open(server -> server.files("/", link));
        Talk talk = http.talk()) {
      for (String each : List.of("one", "two", "one", "two")) {
        Path next = Files.createSymbolicLink(temporary.resolve("next"), temporary.resolve(each));
        Files.move(next, link, StandardCopyOption.ATOMIC_MOVE);
        assertEquals(each, talk.say(get("/x")).body());
        assertEquals(each, talk.say(get("/x")).body());
      }
      assertEquals("nothing at /old\n", talk.say(get("/old")).body(), "it leads out of it");
    }
  }

  /// Nobody writes to it: opening it would last for ever. There are more requests than libuv has threads.
  @Test
  void aPipeInPlaceOfAFileTakesNoThread() throws Exception {
    List<Throwable> told = new java.util.ArrayList<>();
    Path pipe = Fifo.at(files.resolve("pipe"));
    HttpHandler handler = _ -> Response.file("x/y", pipe, 0, 4);
    try (var http =
        HttpFixture.open(
            ServerOptions.DEFAULT.withOnFailure((_, failure) -> told.add(failure)),
            server -> server.route("GET", "/pipe", handler).files("/s", files))) {
      for (int i = 0; i < 8; i++) {
        try (Talk talk = http.talk()) {
          assertEquals("nothing at /s/pipe\n", talk.say(get("/s/pipe")).body());
          assertEquals("something went wrong here\n", talk.say(get("/pipe")).body());
          assertEquals("0123456789", talk.say(get("/s/digits.txt")).body());
        }
      }
      assertEquals(8, told.size());
      assertTrue(told.getFirst() instanceof NotRegularFileException, () -> "" + told);
    }
  }

  /// The head of an answer and the first bytes of a file leave together, and the loop's own thread sends what is in memory.
  @Test
  void aFileThatWasJustSentIsSentWithoutAnotherThread() throws Exception {
    try (var http = open();
        Talk talk = http.talk()) {
      assertEquals("0123456789", talk.say(get("/s/digits.txt")).body());
      assertEquals("0123456789", talk.say(get("/s/digits.txt")).body());
      try (CallCount sends = new CallCount("sendfile");
          CallCount copies = new CallCount("dup");
          CallCount opens = new CallCount("uv_fs_open");
          CallCount asks = new CallCount("uv_fs_realpath")) {
        for (int i = 0; i < 10; i++) {
          assertEquals("0123456789", talk.say(get("/s/digits.txt")).body());
        }
        assertEquals(10, sends.get());
        assertEquals(10, opens.get());
        assertEquals(0, copies.get());
        assertTrue(asks.get() <= 1, "the directory is looked for now and then");
      }
    }
  }
}
