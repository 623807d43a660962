// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static dev.couv.http.RawTwo.CONTINUATION;
import static dev.couv.http.RawTwo.DATA;
import static dev.couv.http.RawTwo.END_HEADERS;
import static dev.couv.http.RawTwo.END_STREAM;
import static dev.couv.http.RawTwo.GOAWAY;
import static dev.couv.http.RawTwo.HEADERS;
import static dev.couv.http.RawTwo.PING;
import static dev.couv.http.RawTwo.PRIORITY;
import static dev.couv.http.RawTwo.RST_STREAM;
import static dev.couv.http.RawTwo.SETTINGS;
import static dev.couv.http.RawTwo.WINDOW_UPDATE;
import static dev.couv.http.RawTwo.bytes;
import static dev.couv.http.RawTwo.head;
import static dev.couv.http.RawTwo.number;
import static dev.couv.http.RawTwo.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.http.RawTwo.Frame;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What RFC 9113 forbids: each is answered by the end of the stream or of the connection, and others go on.
@InLoop
class Http2ProtocolTest {
  private static final int PROTOCOL_ERROR = 1;
  private static final int FLOW_CONTROL_ERROR = 3;
  private static final int STREAM_CLOSED = 5;
  private static final int FRAME_SIZE_ERROR = 6;
  private static final int COMPRESSION_ERROR = 9;

  /// What is sent behind the preface and the settings, and which errors may come of it.
  record Case(String name, List<byte[]> frames, Integer... errors) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Case wrong(String name, int error, byte[]... frames) {
    return new Case(name, List.of(frames), error);
  }

  private static byte[] get(int id, String... fields) {
    return bytes(HEADERS, END_HEADERS | END_STREAM, id, head(fields));
  }

  private static byte[] good(int id) {
    return bytes(HEADERS, END_HEADERS | END_STREAM, id, request("GET", "/"));
  }

  private static byte[] more(int id, String... fields) {
    return bytes(HEADERS, END_HEADERS | END_STREAM, id, request("GET", "/", fields));
  }

  private static byte[] post(int id, String... fields) {
    return bytes(HEADERS, END_HEADERS, id, request("POST", "/", fields));
  }

  private static byte[] setting(int id, int value) {
    byte[] setting = new byte[6];
    setting[1] = (byte) id;
    System.arraycopy(number(value), 0, setting, 2, 4);
    return setting;
  }

  static List<Case> endTheConnection() {
    return List.of(
        wrong("a frame that is too large", FRAME_SIZE_ERROR, bytes(DATA, 0, 1, new byte[16_385])),
        wrong("data on an idle stream", PROTOCOL_ERROR, bytes(DATA, 0, 1, new byte[3])),
        wrong("data on no stream", PROTOCOL_ERROR, bytes(DATA, 0, 0, new byte[3])),
        wrong("a head on no stream", PROTOCOL_ERROR, good(0)),
        wrong("a head on a server's stream", PROTOCOL_ERROR, good(2)),
        wrong("a reset of an idle stream", PROTOCOL_ERROR, bytes(RST_STREAM, 0, 1, number(8))),
        wrong("a reset of no stream", PROTOCOL_ERROR, bytes(RST_STREAM, 0, 0, number(8))),
        wrong(
            "a reset that is too short",
            FRAME_SIZE_ERROR,
            post(1),
            bytes(RST_STREAM, 0, 1, new byte[3])),
        wrong("settings of a stream", PROTOCOL_ERROR, bytes(SETTINGS, 0, 1)),
        wrong("settings of odd length", FRAME_SIZE_ERROR, bytes(SETTINGS, 0, 0, new byte[5])),
        wrong(
            "settings acknowledged with a payload",
            FRAME_SIZE_ERROR,
            bytes(SETTINGS, 1, 0, new byte[6])),
        wrong(
            "a window that is too large",
            FLOW_CONTROL_ERROR,
            bytes(SETTINGS, 0, 0, setting(4, 0x80000000))),
        wrong("frames that are too small", PROTOCOL_ERROR, bytes(SETTINGS, 0, 0, setting(5, 100))),
        wrong(
            "push that is neither on nor off",
            PROTOCOL_ERROR,
            bytes(SETTINGS, 0, 0, setting(2, 2))),
        wrong("a ping of odd length", FRAME_SIZE_ERROR, bytes(PING, 0, 0, new byte[6])),
        wrong("a ping of a stream", PROTOCOL_ERROR, bytes(PING, 0, 1, new byte[8])),
        wrong("a farewell on a stream", PROTOCOL_ERROR, bytes(GOAWAY, 0, 1, new byte[8])),
        wrong(
            "a promise of a client", PROTOCOL_ERROR, post(1), bytes(5, END_HEADERS, 1, number(2))),
        wrong("no more window for all", PROTOCOL_ERROR, bytes(WINDOW_UPDATE, 0, 0, number(0))),
        wrong(
            "too much window for all",
            FLOW_CONTROL_ERROR,
            bytes(WINDOW_UPDATE, 0, 0, number(0x7fffffff))),
        wrong("window of an idle stream", PROTOCOL_ERROR, bytes(WINDOW_UPDATE, 0, 1, number(100))),
        wrong("a window of odd length", FRAME_SIZE_ERROR, bytes(WINDOW_UPDATE, 0, 0, new byte[3])),
        wrong("a continuation of nothing", PROTOCOL_ERROR, bytes(CONTINUATION, END_HEADERS, 1)),
        wrong(
            "something inside of a head",
            PROTOCOL_ERROR,
            bytes(HEADERS, END_STREAM, 1, request("GET", "/")),
            bytes(PING, 0, 0, new byte[8])),
        wrong(
            "a continuation of another head",
            PROTOCOL_ERROR,
            bytes(HEADERS, END_STREAM, 1, request("GET", "/")),
            bytes(CONTINUATION, END_HEADERS, 3)),
        wrong(
            "a head that cannot be decoded", COMPRESSION_ERROR, bytes(HEADERS, 5, 1, (byte) 0x80)),
        wrong("an index that is not there", COMPRESSION_ERROR, bytes(HEADERS, 5, 1, (byte) 0xfe)),
        wrong(
            "more padding than there is",
            PROTOCOL_ERROR,
            post(1),
            bytes(DATA, 8, 1, new byte[] {9, 0, 0})),
        wrong(
            "a table that is too large",
            COMPRESSION_ERROR,
            bytes(HEADERS, 5, 1, new byte[] {0x3f, (byte) 0xff, (byte) 0xff, 0x7f})),
        wrong("a stream that was passed over", PROTOCOL_ERROR, good(5), good(3)),
        wrong("the first stream, passed over", PROTOCOL_ERROR, good(3), good(1)),
        wrong("a head that is too large", FRAME_SIZE_ERROR, bytes(HEADERS, 5, 1, new byte[16_385])),
        wrong(
            "frames that are too large",
            PROTOCOL_ERROR,
            bytes(SETTINGS, 0, 0, setting(5, 1 << 24))),
        wrong(
            "a window that settings make too large",
            FLOW_CONTROL_ERROR,
            post(1),
            bytes(WINDOW_UPDATE, 0, 1, number(0x7fff0000 - 65_535)),
            bytes(SETTINGS, 0, 0, setting(4, 0x7fffffff))),
        wrong(
            "too much window in two steps",
            FLOW_CONTROL_ERROR,
            bytes(WINDOW_UPDATE, 0, 0, number(0x7fff0000 - 65_535)),
            bytes(WINDOW_UPDATE, 0, 0, number(0x7fff0000))),
        wrong("a continuation on no stream", PROTOCOL_ERROR, bytes(CONTINUATION, END_HEADERS, 0)),
        wrong(
            "a continuation behind a whole head",
            PROTOCOL_ERROR,
            post(1),
            bytes(CONTINUATION, END_HEADERS, 1, head("a", "b"))),
        wrong(
            "a continuation behind data",
            PROTOCOL_ERROR,
            post(1),
            bytes(DATA, 0, 1, new byte[3]),
            bytes(CONTINUATION, END_HEADERS, 1, head("a", "b"))),
        wrong(
            "a continuation behind its last",
            PROTOCOL_ERROR,
            bytes(HEADERS, 0, 1, request("POST", "/")),
            bytes(CONTINUATION, END_HEADERS, 1, head("a", "b")),
            bytes(CONTINUATION, END_HEADERS, 1, head("c", "d"))),
        wrong(
            "a priority inside of a head",
            PROTOCOL_ERROR,
            bytes(HEADERS, END_STREAM, 1, request("GET", "/")),
            bytes(PRIORITY, 0, 1, new byte[5])),
        wrong(
            "a frame that nobody knows inside of a head",
            PROTOCOL_ERROR,
            bytes(HEADERS, END_STREAM, 1, request("GET", "/")),
            bytes(0x42, 0, 0, new byte[3])),
        wrong(
            "another head inside of a head",
            PROTOCOL_ERROR,
            bytes(HEADERS, END_STREAM, 1, request("GET", "/")),
            good(3)),
        wrong("a priority of no stream", PROTOCOL_ERROR, bytes(PRIORITY, 0, 0, new byte[5])),
        wrong(
            "a head with more padding than there is",
            PROTOCOL_ERROR,
            bytes(HEADERS, END_HEADERS | 8, 1, new byte[] {9, 0, 0})),
        wrong(
            "a name by an index that is not there",
            COMPRESSION_ERROR,
            bytes(HEADERS, 5, 1, new byte[] {0x7f, 0x7f, 1, 'a'})),
        wrong(
            "a table that changes behind fields",
            COMPRESSION_ERROR,
            bytes(HEADERS, 5, 1, new byte[] {(byte) 0x82, 0x20})),
        wrong(
            "a Huffman code padded by zeros",
            COMPRESSION_ERROR,
            bytes(HEADERS, 5, 1, new byte[] {0, (byte) 0x81, 0x18, 1, 'a'})),
        wrong(
            "a Huffman code padded by more than it needs",
            COMPRESSION_ERROR,
            bytes(HEADERS, 5, 1, new byte[] {0, (byte) 0x82, 0x1f, (byte) 0xff, 1, 'a'})),
        wrong(
            "the end inside of a Huffman code",
            COMPRESSION_ERROR,
            bytes(
                HEADERS,
                5,
                1,
                new byte[] {0, (byte) 0x84, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff})));
  }

  static List<Case> endTheStream() {
    return List.of(
        wrong("a name in capitals", PROTOCOL_ERROR, more(1, "X-Y", "z")),
        wrong("a connection", PROTOCOL_ERROR, more(1, "connection", "close")),
        wrong("a transfer encoding", PROTOCOL_ERROR, more(1, "transfer-encoding", "chunked")),
        wrong("an upgrade", PROTOCOL_ERROR, more(1, "upgrade", "h2c")),
        wrong("te without trailers", PROTOCOL_ERROR, more(1, "te", "gzip")),
        wrong("no method", PROTOCOL_ERROR, get(1, ":scheme", "http", ":path", "/")),
        wrong("no scheme", PROTOCOL_ERROR, get(1, ":method", "GET", ":path", "/")),
        wrong("no path", PROTOCOL_ERROR, get(1, ":method", "GET", ":scheme", "http")),
        wrong(
            "an empty path",
            PROTOCOL_ERROR,
            get(1, ":method", "GET", ":scheme", "http", ":path", "", ":authority", "a")),
        wrong("a second path", PROTOCOL_ERROR, more(1, ":path", "/")),
        wrong("a second method", PROTOCOL_ERROR, more(1, ":method", "GET")),
        wrong("a second scheme", PROTOCOL_ERROR, more(1, ":scheme", "http")),
        wrong("a second authority", PROTOCOL_ERROR, more(1, ":authority", "a")),
        wrong("keep-alive", PROTOCOL_ERROR, more(1, "keep-alive", "timeout=5")),
        wrong("proxy-connection", PROTOCOL_ERROR, more(1, "proxy-connection", "close")),
        wrong("a control in a name", PROTOCOL_ERROR, more(1, "x\u0001", "a")),
        wrong("a colon in a name", PROTOCOL_ERROR, more(1, "x:y", "a")),
        wrong("white space behind a value", PROTOCOL_ERROR, more(1, "x", "a\t")),
        wrong(
            "bodies that together are beyond the length",
            PROTOCOL_ERROR,
            post(1, "content-length", "5"),
            bytes(DATA, 0, 1, new byte[3]),
            bytes(DATA, END_STREAM, 1, new byte[3])),
        wrong(
            "a priority of odd length",
            FRAME_SIZE_ERROR,
            post(1),
            bytes(PRIORITY, 0, 1, new byte[4])),
        wrong(
            "too much window in two steps of a stream",
            FLOW_CONTROL_ERROR,
            post(1),
            bytes(WINDOW_UPDATE, 0, 1, number(0x7fff0000 - 65_535)),
            bytes(WINDOW_UPDATE, 0, 1, number(0x7fff0000))),
        wrong("an unknown field of the protocol", PROTOCOL_ERROR, more(1, ":what", "x")),
        wrong("a field of answers", PROTOCOL_ERROR, more(1, ":status", "200")),
        wrong(
            "a field of the protocol behind others",
            PROTOCOL_ERROR,
            get(1, ":method", "GET", ":scheme", "http", "x", "y", ":path", "/")),
        wrong("a line end in a value", PROTOCOL_ERROR, more(1, "x", "a\r\nb: c")),
        wrong("a zero in a value", PROTOCOL_ERROR, more(1, "x", "a\0b")),
        wrong("white space before a value", PROTOCOL_ERROR, more(1, "x", " a")),
        wrong("a space in a name", PROTOCOL_ERROR, more(1, "x y", "a")),
        wrong("an empty name", PROTOCOL_ERROR, more(1, "", "a")),
        wrong("another host", PROTOCOL_ERROR, more(1, "host", "there")),
        wrong("two lengths", PROTOCOL_ERROR, more(1, "content-length", "0", "content-length", "1")),
        wrong("a length that is none", PROTOCOL_ERROR, post(1, "content-length", "+3")),
        wrong("a length without a body", PROTOCOL_ERROR, more(1, "content-length", "3")),
        wrong(
            "a body below its length",
            PROTOCOL_ERROR,
            post(1, "content-length", "5"),
            bytes(DATA, END_STREAM, 1, new byte[3])),
        wrong(
            "a body beyond its length",
            PROTOCOL_ERROR,
            post(1, "content-length", "2"),
            bytes(DATA, END_STREAM, 1, new byte[3])),
        wrong(
            "trailers with a field of the protocol",
            PROTOCOL_ERROR,
            post(1),
            get(1, ":method", "GET")),
        wrong(
            "a head in the middle",
            PROTOCOL_ERROR,
            post(1),
            bytes(HEADERS, END_HEADERS, 1, head("a", "b"))),
        wrong("no more window", PROTOCOL_ERROR, post(1), bytes(WINDOW_UPDATE, 0, 1, number(0))),
        wrong(
            "too much window",
            FLOW_CONTROL_ERROR,
            post(1),
            bytes(WINDOW_UPDATE, 0, 1, number(0x7fffffff))));
  }

  @ParameterizedTest
  @MethodSource
  void endTheConnection(Case wrong) throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var client = RawTwo.open(http);
        var other = RawTwo.open(http)) {
      for (byte[] frame : wrong.frames) {
        client.stream.write(frame);
      }

      int error = client.farewell();
      assertTrue(List.of(wrong.errors).contains(error), () -> "error " + error);
      assertEquals("200 hello", other.get(1, "/").answer(1).toString());
    }
  }

  @ParameterizedTest
  @MethodSource
  void endTheStream(Case wrong) throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var client = RawTwo.open(http)) {
      for (byte[] frame : wrong.frames) {
        client.stream.write(frame);
      }

      Frame reset = client.await(frame -> frame.type() == RST_STREAM && frame.stream() == 1);
      assertTrue(List.of(wrong.errors).contains(reset.error()), () -> "error " + reset.error());
      assertEquals("200 hello", client.get(3, "/").answer(3).toString());
    }
  }

  @Test
  void whatIsNoPrefaceIsNotHttp2() throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT)) {
      try (var client = RawTwo.connect(http.address())) {
        client.stream.write(RawTwo.PREFACE);
        client.get(1, "/"); // and no settings before

        assertEquals(PROTOCOL_ERROR, client.farewell());
      }
      String other = http.all("PRI / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      assertTrue(other.startsWith("HTTP/1.1 405 "), other);
    }
  }

  @Test
  void whatIsAskedWronglyIsAnsweredSo() throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var client = RawTwo.open(http)) {
      client.frame(HEADERS, 5, 1, head(":method", "GET", ":scheme", "http", ":path", "/"));
      assertEquals(400, client.answer(1).status);
      assertEquals(400, client.get(3, "*").answer(3).status);
      assertEquals(400, client.get(5, "/a b").answer(5).status);
      client.frame(HEADERS, 5, 7, head(":method", "CONNECT", ":authority", "a:1"));
      assertEquals(501, client.answer(7).status);
      assertEquals(414, client.get(9, "/" + "a".repeat(8192)).answer(9).status);
      String[] many = new String[202];
      Arrays.fill(many, "x");
      assertEquals(431, client.get(11, "/", many).answer(11).status);
      byte[] body = RawTwo.request("POST", "/", "expect", "100-continue", "expect", "more");
      client.frame(HEADERS, END_HEADERS, 13, body);
      assertEquals(417, client.answer(13).status);
      assertEquals("200 hello", client.get(15, "/").answer(15).toString());
    }
  }

  /// What HTTP/1.1 refuses is refused here as well: who passes requests on from one to the other must not be surprised.
  @Test
  void whatOneVersionRefusesTheOtherDoesToo() throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var client = RawTwo.open(http)) {
      int stream = 1;
      for (String path : List.of("/#", "/a#b", "/a\"", "/?x#y")) {
        int status = path.indexOf('#') < 0 ? 404 : 400;
        assertEquals(status, client.get(stream, path).answer(stream).status, path);
        assertEquals(status, status(http, path, "a"), path);
        stream += 2;
      }
      String wrong =
          "a:b a:1b [::1]:x a:-1 u@a a:80:90 ::1 [::1 [::1]80 [::1]:80:1 a]b [a]b [a] [] [ ] []:80"
              + " a[::1]:80 :80 % a%zz a%2 [:] [g::]:80 [1] a:65536 a:99999999999 : [[::1]] [::1]]"
              + " [::1][::2] a%00b a%0d%0ab a%7F [::1%00]";
      for (String host : wrong.split(" ")) {
        assertEquals(400, ask(client, stream, host), host);
        assertEquals(400, status(http, "/", host), host);
        stream += 2;
      }
      String right =
          "a a: a:80 a:65535 [::] [::ffff:1.2.3.4] 1.2.3.4:5 a_b-c.d [::1] [::1]: [::1]:80"
              + " [fe80::1%25eth0]:1 a%20b";
      for (String host : right.split(" ")) {
        assertEquals(200, ask(client, stream, host), host);
        assertEquals(200, status(http, "/", host), host);
        stream += 2;
      }
      assertEquals(200, status(http, "/", ""), "an empty host");
      assertEquals("200 hello", client.get(stream, "/").answer(stream).toString());
    }
  }

  private static int ask(RawTwo client, int stream, String host) throws IOException {
    byte[] fields = head(":method", "GET", ":scheme", "http", ":path", "/", ":authority", host);
    return client.frame(HEADERS, END_STREAM | END_HEADERS, stream, fields).answer(stream).status;
  }

  private static int status(HttpFixture http, String target, String host) throws IOException {
    String request =
        "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
    return Integer.parseInt(http.all(request).substring(9, 12));
  }

  @Test
  void dataBehindTheEndIsAnError() throws Exception {
    try (var http =
            HttpFixture.open(
                server ->
                    server
                        .route("GET", "/", _ -> Response.text("hello"))
                        .route("POST", "/", _ -> Response.text("no")));
        var client = RawTwo.open(http)) {
      client.post(1, "/").data(1, "a", true).data(1, "b", true);
      List<Integer> errors = new ArrayList<>();
      for (Frame frame; errors.isEmpty() && (frame = client.next()) != null; ) {
        if (frame.type() == RST_STREAM || frame.type() == GOAWAY) {
          errors.add(frame.error());
        }
      }
      assertEquals(List.of(STREAM_CLOSED), errors);
    }
  }

  /// What h2spec calls half-closed and closed.
  @Test
  void headsAndDataBehindTheEndEndTheStreamOrTheConnection() throws Exception {
    List<List<byte[]>> cases =
        List.of(
            List.of(good(1), bytes(DATA, 0, 1, new byte[3])),
            List.of(good(1), good(1)),
            List.of(post(1), bytes(RST_STREAM, 0, 1, number(8)), good(1)),
            List.of(post(1), bytes(RST_STREAM, 0, 1, number(8)), bytes(DATA, 0, 1, new byte[3])));
    for (List<byte[]> frames : cases) {
      try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
          var client = RawTwo.open(http);
          var other = RawTwo.open(http)) {
        for (byte[] frame : frames) {
          client.stream.write(frame);
        }
        Frame end = client.await(frame -> frame.type() == RST_STREAM || frame.type() == GOAWAY);
        assertTrue(
            end.error() == STREAM_CLOSED || end.error() == PROTOCOL_ERROR, () -> "" + end.error());
        assertEquals("200 hello", other.get(1, "/").answer(1).toString());
      }
    }
  }

  @Test
  void numbersOfStreamsMayBeLeftOutAndFramesMayComeInPieces() throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var client = RawTwo.open(http)) {
      for (int id = 3; id < 3_000; id += 14) {
        byte[] frame = good(id);
        client.stream.write(Arrays.copyOf(frame, 1 + id % 12));
        dev.couv.coro.Coroutine.pause();
        client.stream.write(Arrays.copyOfRange(frame, 1 + id % 12, frame.length));
        assertEquals("200 hello", client.answer(id).toString());
      }
      client.stream.write(good(2_997));
      assertEquals(PROTOCOL_ERROR, client.farewell());
    }
  }

  @Test
  void whatIsStrangeButAllowedIsServed() throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var client = RawTwo.open(http)) {
      byte[] reserved = good(1);
      reserved[5] |= (byte) 0x80;
      client.stream.write(reserved);
      assertEquals("200 hello", client.answer(1).toString(), "a reserved bit");
      client.frame(PING, 0xfe, 0, new byte[8]); // flags that mean nothing
      client.frame(PING, RawTwo.ACK, 0, new byte[8]); // that nobody has asked for
      client.frame(PRIORITY, 0, 1, new byte[5]); // of a stream that has ended
      client.frame(WINDOW_UPDATE, 0, 1, number(1));
      client.post(3, "/").frame(RST_STREAM, 0, 3, number(0xff)); // with a code that nobody knows
      client.frame(SETTINGS, 0, 0, setting(4, 100)).frame(SETTINGS, 0, 0, setting(4, 65_535));
      assertEquals("200 hello", client.get(5, "/").answer(5).toString());
    }
  }

  @Test
  void whatNobodyKnowsIsIgnored() throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var client = RawTwo.open(http, 0x99, 7)) {
      client.frame(0x42, 0xff, 0, new byte[10]).frame(0x43, 0, 5, new byte[10]);
      client.frame(PRIORITY, 0, 7, new byte[5]);
      assertEquals("200 hello", client.get(9, "/").answer(9).toString());
    }
  }

  @Test
  void headsComeInPiecesAndWithPadding() throws Exception {
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT);
        var client = RawTwo.open(http)) {
      byte[] block = request("POST", "/");
      client.frame(HEADERS, 0, 1, Arrays.copyOf(block, 7));
      client.frame(CONTINUATION, 0, 1, Arrays.copyOfRange(block, 7, 12));
      client.frame(CONTINUATION, END_HEADERS, 1, Arrays.copyOfRange(block, 12, block.length));
      byte[] padded = new byte[1 + 3 + 100];
      padded[0] = 100;
      padded[1] = 'a';
      padded[2] = 'b';
      padded[3] = 'c';
      client.frame(DATA, END_STREAM | 8, 1, padded);

      assertEquals("200 abc", client.answer(1).toString());
    }
  }

  @Test
  void bytesThatAreNearlyFramesHarmNobody(TestClock clock) throws Exception {
    var random = new java.util.Random(7);
    byte[][] frames = {
      good(1),
      post(3),
      bytes(DATA, END_STREAM, 3, new byte[30]),
      bytes(PING, 0, 0, new byte[8]),
      bytes(WINDOW_UPDATE, 0, 0, number(1000)),
      bytes(SETTINGS, 0, 0, setting(4, 70_000)),
      good(5)
    };
    var all = new java.io.ByteArrayOutputStream();
    for (byte[] frame : frames) {
      all.writeBytes(frame);
    }
    try (var http = HttpFixture.simple(ServerOptions.DEFAULT.withOnFailure((_, _) -> {}))) {
      for (int i = 0; i < 200; i++) {
        byte[] bytes = all.toByteArray();
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        try (var client = RawTwo.open(http)) {
          client.stream.write(bytes);
          client.stream.shutdown();
          while (client.next() != null) {
            // whatever it says
          }
        } catch (IOException gone) {
          // as it may be
        }
      }
      try (var client = RawTwo.open(http)) {
        assertEquals("200 hello", client.get(1, "/").answer(1).toString());
      }
    }
  }
}
