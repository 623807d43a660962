// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static dev.couv.http.CompressionTest.BOOK;
import static dev.couv.http.CompressionTest.GZIP;
import static dev.couv.http.CompressionTest.ON;
import static dev.couv.http.CompressionTest.PAGE;
import static dev.couv.http.CompressionTest.assertPacked;
import static dev.couv.http.CompressionTest.assertPlain;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Answers that are compressed while they are sent: what is there when, and how they end.
@InLoop
class CompressedStreamsTest {
  private final List<Throwable> told = new ArrayList<>();

  private HttpFixture open(Compression how, Consumer<HttpServer> routes) throws IOException {
    return HttpFixture.open(
        ON.withCompression(how).withOnFailure((_, failure) -> told.add(failure)), routes);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void whatIsFlushedIsThereAtOnce(HttpVersion version) throws Exception {
    Gate more = new Gate();
    HttpHandler slow =
        _ ->
            Response.stream(
                "text/plain",
                out -> {
                  out.write("first");
                  out.flush();
                  more.await();
                  out.write("second");
                });
    try (var http = open(Compression.DEFAULT, server -> server.route("GET", "/", slow))) {
      if (version == HttpVersion.HTTP_2) {
        try (var client = RawTwo.open(http)) {
          client.get(1, "/", GZIP).await(RawTwo.DATA);
          var so = client.of(1);
          while (!seen(so.body.toString()).equals("first")) {
            client.await(RawTwo.DATA);
          }
          more.open();
          assertEquals("firstsecond", seen(client.answer(1).body.toString()));
        }
      } else {
        try (var talk = http.talk()) {
          talk.say("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n").head();
          var chunks = new StringBuilder();
          while (!seen(chunks.toString()).equals("first")) {
            chunks.append(chunk(talk));
          }
          more.open();
          for (String chunk; !(chunk = chunk(talk)).isEmpty(); ) {
            chunks.append(chunk);
          }
          assertEquals("firstsecond", seen(chunks.toString()));
        }
      }
    }
  }

  private static String chunk(HttpFixture.Talk talk) throws IOException {
    int size = Integer.parseInt(new String(talk.in.readUntil((byte) '\r', (byte) '\n')), 16);
    String chunk = talk.bytes(size);
    talk.bytes(2);
    return chunk;
  }

  private static String seen(String packed) throws Exception {
    byte[] bytes = packed.getBytes(ISO_8859_1);
    if (bytes.length <= 10) {
      return "";
    }
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(bytes, 10, bytes.length - 10);
      byte[] seen = new byte[1000];
      return new String(seen, 0, inflater.inflate(seen), ISO_8859_1);
    } finally {
      inflater.end();
    }
  }

  /// Of which only one may be compressed at a time: so the next shows that the one before has ended.
  private static final Compression ONE = Compression.DEFAULT.withAtOnce(1);

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void anAnswerThatIsTornIsSeenToBeAndIsOver(HttpVersion version) throws Exception {
    try (var http =
        open(
            ONE,
            server ->
                server
                    .route(
                        "GET",
                        "/failing",
                        _ ->
                            Response.stream(
                                "text/plain",
                                out -> {
                                  out.write(BOOK);
                                  throw new ArithmeticException("torn");
                                }))
                    .route(
                        "GET",
                        "/short",
                        _ -> Response.stream("text/plain", 5000, out -> out.write("x")))
                    .route(
                        "GET",
                        "/long",
                        _ -> Response.stream("text/plain", 2000, out -> out.write(PAGE)))
                    .route("GET", "/book", _ -> Response.text(BOOK)))) {
      for (String path : List.of("/failing", "/short", "/long")) {
        assertThrows(Exception.class, () -> Asked.get(http, version, path, GZIP).unpacked(), path);
        assertPacked(BOOK, Asked.get(http, version, "/book", GZIP));
        Asked.ask(http, version, "HEAD", "/book", "", GZIP);
      }
      assertPacked(BOOK, Asked.get(http, version, "/book", GZIP));
      assertEquals(3, told.size(), () -> told.toString());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void thereAreNotTooManyAtOnceAndAClientThatGoesIsOver(HttpVersion version) throws Exception {
    Gate begun = new Gate();
    boolean[] ended = {false};
    HttpHandler endless =
        _ ->
            Response.stream(
                "text/plain",
                out -> {
                  try {
                    while (true) {
                      out.write(PAGE);
                      out.flush();
                      begun.open();
                    }
                  } finally {
                    ended[0] = true;
                  }
                });
    try (var http =
        open(
            ONE,
            server ->
                server
                    .route("GET", "/endless", endless)
                    .route("GET", "/book", _ -> Response.text(BOOK)))) {
      if (version == HttpVersion.HTTP_2) {
        try (var client = RawTwo.open(http)) {
          client.get(1, "/endless", GZIP);
          begun.await();
          assertPlain(BOOK, Asked.get(http, version, "/book", GZIP));
          client.reset(1, 8).sync();
          assertPackedSoon(http, version, ended);
        }
      } else {
        try (var talk = http.talk()) {
          talk.say("GET /endless HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n").head();
          begun.await();
          assertPlain(BOOK, Asked.get(http, version, "/book", GZIP));
          talk.stream.reset();
        }
        assertPackedSoon(http, version, ended);
      }
      assertEquals(List.of(), told);
    }
  }

  private static void assertPackedSoon(HttpFixture http, HttpVersion version, boolean[] ended)
      throws IOException {
    while (!ended[0]) {
      Asked.get(http, version, "/nobody");
    }
    assertPacked(BOOK, Asked.get(http, version, "/book", GZIP));
  }

  @Test
  void othersAreAnsweredMeanwhileAndAServerThatEndsCancelsIt() throws Exception {
    Gate begun = new Gate();
    HttpHandler endless =
        _ ->
            Response.stream(
                "text/plain",
                out -> {
                  while (true) {
                    out.write(new byte[1 << 16]); // nearly nothing, compressed
                    begun.open();
                  }
                });
    var options = ON.withGrace(Duration.ZERO);
    try (var http = HttpFixture.open(options, server -> server.route("GET", "/", endless));
        var talk = http.talk()) {
      talk.say("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
      begun.await();
      assertEquals(404, Asked.get(http, HttpVersion.HTTP_1_1, "/nobody").status());
    }
  }

  @Test
  void trailersComeBehindIt() throws Exception {
    HttpHandler summed =
        _ ->
            Response.stream(
                "text/plain",
                out -> {
                  out.write(PAGE);
                  out.trailer("X-Sum", "7");
                });
    try (var http = open(Compression.DEFAULT, server -> server.route("GET", "/", summed));
        var client = RawTwo.open(http)) {
      var answer = client.get(1, "/", GZIP).answer(1);
      assertEquals("7", answer.trailers.get("x-sum").toString());
    }
  }
}
