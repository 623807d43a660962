// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Loop;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A client against servers that are broken, old, or want to deceive it.
@InLoop
class WebClientHostileTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private static String text(ClientResponse answer) throws IOException {
    try (answer) {
      return answer.text(1 << 20);
    }
  }

  // ---- heads

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH\r\n\r\n",
        "HTTP/2.0 200 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 abc OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\nab",
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nBad Name: a\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: a\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nX: a\rContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nX: a\u0000b\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
      })
  void whatIsNoAnswerIsRefused(String answer) throws Exception {
    try (var server = RawServer.answering(answer);
        var client = WebClient.open()) {
      assertThrows(ProtocolException.class, () -> client.get(server.uri()));
      assertEquals(0, client.idle());
    }
  }

  @Test
  void aHeaderOfSeveralLinesIsOne() throws Exception {
    try (var server =
            RawServer.answering("HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n");
        var client = WebClient.open()) {
      assertEquals("a b", client.get(server.uri()).header("x"));
    }
  }

  @Test
  void aHeadHasAnEnd() throws Exception {
    String field = "X: " + "y".repeat(100) + "\r\n";
    try (var endless =
            RawServer.open(
                talk -> {
                  talk.say("HTTP/1.1 200 OK\r\n");
                  while (true) {
                    talk.say(field.repeat(100));
                  }
                });
        var line = RawServer.open(talk -> talk.say("HTTP/1.1 200 " + "O".repeat(1 << 20)));
        var giant =
            RawServer.answering("HTTP/1.1 200 OK\r\nX: " + "y".repeat(1 << 17) + "\r\n\r\n");
        var many = RawServer.answering("HTTP/1.1 200 OK\r\n" + "X: y\r\n".repeat(201) + "\r\n");
        var announcing =
            RawServer.open(
                talk -> {
                  while (true) {
                    talk.say("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(10));
                  }
                });
        var client = WebClient.open()) {
      for (RawServer server : List.of(endless, line, giant, many, announcing)) {
        assertThrows(ProtocolException.class, () -> client.get(server.uri()));
      }
      assertEquals(0, client.idle());
    }
  }

  @Test
  void aHeadThatComesByteByByteHasItsTime(TestClock clock) throws Exception {
    try (var server =
            RawServer.open(
                talk -> {
                  while (true) {
                    talk.say("H");
                    Time.sleep(Duration.ofSeconds(5));
                  }
                });
        var client = WebClient.open()) {
      assertThrows(SocketTimeoutException.class, () -> client.get(server.uri()));
      assertEquals(30, clock.elapsed().toSeconds());
    }
  }

  @Test
  void announcementsAreNotTheAnswer() throws Exception {
    try (var server =
            RawServer.answering(
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + OK);
        var client = WebClient.open()) {
      assertEquals("ok", text(client.get(server.uri())));
      assertEquals("ok", text(client.get(server.uri())));
      assertEquals(1, server.connections());
    }
  }

  // ---- bodies

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x\r\nab\r\n0\r\n\r\n",
        "-1\r\nab\r\n0\r\n\r\n",
        "ffffffffffffffffff\r\nab",
        "2\r\nabc\r\n0\r\n\r\n",
        "2\nab\r\n0\r\n\r\n",
        "2\r\nab\r\n0\r\nBad Name: x\r\n\r\n",
      })
  void badChunksAreRefused(String chunks) throws Exception {
    try (var server =
            RawServer.answering("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks);
        var client = WebClient.open()) {
      var answer = client.get(server.uri());
      assertThrows(ProtocolException.class, () -> answer.text(1000));
      assertEquals(0, client.idle());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2;", "0\r\nX: ", "0000"})
  void chunksAndTrailersHaveAnEnd(String beginning) throws Exception {
    try (var server =
            RawServer.open(
                talk -> {
                  talk.head();
                  talk.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + beginning);
                  while (true) {
                    talk.say("0".repeat(1 << 12));
                  }
                });
        var client = WebClient.open()) {
      var answer = client.get(server.uri());
      assertThrows(ProtocolException.class, () -> answer.text(1000));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 10\r\n\r\nshort",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
        "Transfer-Encoding: chunked\r\n\r\n9\r\nshort",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n0\r\n",
      })
  void aBodyThatIsCutIsAFailure(String rest) throws Exception {
    try (var server =
            RawServer.open(
                talk -> {
                  talk.head();
                  talk.say("HTTP/1.1 200 OK\r\n" + rest);
                });
        var client = WebClient.open()) {
      var answer = client.get(server.uri());
      assertThrows(EOFException.class, () -> answer.text(1000));
    }
  }

  @Test
  void aBodyMayEndWithItsConnection() throws Exception {
    try (var server =
            RawServer.open(
                talk -> {
                  talk.head();
                  talk.say("HTTP/1.0 200 OK\r\n\r\nall that ");
                  Loop.awaitIdle();
                  talk.say("is left");
                });
        var client = WebClient.open()) {
      assertEquals("all that is left", text(client.get(server.uri())));
      assertEquals(0, client.idle());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
      })
  void aConnectionThatEndsIsNotKept(String answer) throws Exception {
    try (var server = RawServer.answering(answer);
        var client = WebClient.open()) {
      assertEquals("ok", text(client.get(server.uri())));
      assertEquals("ok", text(client.get(server.uri())));
      assertEquals(2, server.connections());
    }
  }

  // ---- answers that nobody asked for

  @ParameterizedTest
  @ValueSource(
      strings = {
        OK + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison",
        "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 6\r\n\r\npoison",
        OK + "\r\n",
      })
  void whatFollowsAnAnswerIsNotTheNext(String answers) throws Exception {
    try (var server =
            RawServer.open(
                talk -> {
                  talk.head();
                  talk.say(answers);
                  talk.rest();
                },
                talk -> {
                  talk.head();
                  talk.say(OK);
                  talk.rest();
                });
        var client = WebClient.open()) {
      try (var first = client.get(server.uri())) {
        first.text(100);
      }
      assertEquals(0, client.idle());
      assertEquals("ok", text(client.get(server.uri())));
      assertEquals(2, server.connections());
    }
  }

  @Test
  void whatComesToAnIdleConnectionIsNoAnswer() throws Exception {
    try (var server =
            RawServer.open(
                talk -> {
                  talk.head();
                  talk.say(OK);
                  Loop.awaitIdle();
                  talk.say("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison");
                  talk.rest();
                },
                talk -> {
                  talk.head();
                  talk.say(OK);
                  talk.rest();
                });
        var client = WebClient.open()) {
      assertEquals("ok", text(client.get(server.uri())));
      Loop.awaitIdle();
      Loop.awaitIdle();
      assertEquals("ok", text(client.get(server.uri())));
      assertEquals(2, server.connections());
    }
  }

  // ---- connections that end

  /// Answers once, and ends when the next request has come.
  private static void once(HttpFixture.Talk talk) throws IOException {
    talk.head();
    talk.say(OK);
    talk.head();
  }

  @Test
  void aRequestThatMayBeRepeatedIsSentAgainOnce() throws Exception {
    try (var server =
            RawServer.open(
                WebClientHostileTest::once,
                talk -> {
                  talk.head();
                  talk.say(OK);
                  talk.rest();
                });
        var client = WebClient.open()) {
      assertEquals("ok", text(client.get(server.uri())));
      assertEquals("ok", text(client.get(server.uri())));
      assertEquals(2, server.connections());
    }
  }

  @Test
  void oneThatMayNotBeRepeatedIsNot() throws Exception {
    try (var server = RawServer.open(WebClientHostileTest::once);
        var client = WebClient.open()) {
      for (ClientRequest request :
          List.of(
              ClientRequest.of("POST", server.uri()).withText("once"),
              ClientRequest.of("PUT", server.uri()).withStream("", out -> out.write("once")))) {
        assertEquals("ok", text(client.get(server.uri())));
        int before = server.connections();
        assertThrows(IOException.class, () -> client.send(request));
        assertEquals(before, server.connections());
      }
    }
  }

  @Test
  void aNewConnectionThatEndsIsAFailureAtOnce() throws Exception {
    try (var server = RawServer.open(talk -> talk.head());
        var client = WebClient.open()) {
      assertThrows(EOFException.class, () -> client.get(server.uri()));
      assertEquals(1, server.connections());
    }
  }

  @Test
  void aConnectionThatEndsWhileItIsIdleIsSeen() throws Exception {
    try (var server =
            RawServer.open(
                talk -> {
                  talk.head();
                  talk.say(OK);
                });
        var client = WebClient.open()) {
      assertEquals("ok", text(client.get(server.uri())));
      Loop.awaitIdle();
      assertEquals(0, client.idle());
    }
  }

  @Test
  void anAnswerBeforeTheEndOfTheRequestIsHeard() throws Exception {
    try (var server =
            RawServer.open(
                talk -> {
                  talk.head();
                  talk.say("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno");
                  Loop.awaitIdle();
                });
        var client = WebClient.open()) {
      var sent = new ArrayList<Integer>();
      var request =
          ClientRequest.of("POST", server.uri())
              .withStream(
                  "a/b",
                  out -> {
                    while (true) {
                      out.write(new byte[1 << 16]);
                      sent.add(1);
                    }
                  });
      try (var answer = client.send(request)) {
        assertEquals(413, answer.status());
        assertEquals("no", answer.text(10));
      }
      assertEquals(0, client.idle());
      assertTrue(sent.size() < 10_000);
    }
  }

  @Test
  void aBodyThatCannotBeMadeFailsItsRequest() throws Exception {
    try (var server = RawServer.open(talk -> talk.rest());
        var client = WebClient.open()) {
      var post = ClientRequest.of("POST", server.uri());
      var failed =
          assertThrows(
              IOException.class,
              () ->
                  client.send(
                      post.withStream(
                          "a/b",
                          out -> {
                            out.write("begun");
                            throw new IllegalStateException("on purpose");
                          })));
      assertEquals("on purpose", failed.getCause().getMessage());
      assertThrows(
          java.nio.file.NoSuchFileException.class,
          () ->
              client.send(
                  post.withContent(
                      new Content.FileRange("", java.nio.file.Path.of("/no/such"), 0, 1))));
    }
  }

  @Test
  void anErrorInABodyIsThatOfItsRequest() throws Exception {
    try (var server = RawServer.open(talk -> talk.rest());
        var client = WebClient.open()) {
      var request =
          ClientRequest.of("POST", server.uri())
              .withStream(
                  "a/b",
                  out -> {
                    out.write("begun");
                    throw new AssertionError("on purpose");
                  });

      var error = assertThrows(AssertionError.class, () -> client.send(request));

      assertEquals("on purpose", error.getMessage());
      assertEquals(0, client.idle());
    }
  }

  @Test
  void aServerThatTakesNothingIsGivenUp() throws Exception {
    Gate done = new Gate();
    var options = ClientOptions.DEFAULT.withHeadTime(Duration.ofMillis(100));
    try (var server = RawServer.open(talk -> done.await());
        var client = WebClient.open(options)) {
      var request = ClientRequest.of("POST", server.uri()).withBytes("a/b", new byte[1 << 25]);

      assertThrows(SocketTimeoutException.class, () -> client.send(request));

      done.open();
    }
  }

  // ---- compression

  private static final ClientOptions ONE =
      ClientOptions.DEFAULT.withGzip(1000).withConnections(1, 1);

  private static String compressed(int size) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(new byte[size]);
    }
    return bytes.toString(ISO_8859_1);
  }

  private static String answer(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 1000, 5000, 1 << 20})
  void aCompressedAnswerWithPaddingGivesItsPlaceBack(int padding) throws Exception {
    String body = compressed(5) + "\0".repeat(padding);
    try (var server = RawServer.answering(answer(body));
        var client = WebClient.open(ONE)) {
      for (int i = 0; i < 3; i++) {
        assertEquals(5, client.get(server.uri()).bytes(100).length);
      }
    }
  }

  /// Too large, nothing that is compressed, and a second member that is none: each with more to come.
  @Test
  void aCompressedAnswerThatFailsGivesItsPlaceBack() throws Exception {
    String more = "x".repeat(1 << 20);
    for (String body :
        List.of(compressed(1 << 20) + more, more, compressed(5) + "\u001f\u008b" + more)) {
      try (var server = RawServer.answering(answer(body));
          var client = WebClient.open(ONE)) {
        for (int i = 0; i < 3; i++) {
          var answer = client.get(server.uri());
          assertThrows(IOException.class, () -> answer.bytes(1 << 24));
        }
        assertEquals(0, client.idle());
      }
    }
  }
}
