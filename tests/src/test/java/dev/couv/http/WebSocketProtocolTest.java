// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.http.HttpFixture.Talk;
import dev.couv.http.RawSocket.Frame;
import dev.couv.testing.InLoop;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A server's WebSocket against a client that does what Autobahn's fuzzer does: everything.
@InLoop
class WebSocketProtocolTest {
  private static final int TEXT = 0x81;
  private static final int BINARY = 0x82;
  private static final int CLOSE = 0x88;
  private static final int PING = 0x89;
  private static final int PONG = 0x8a;
  private static final int MORE_TEXT = 0x01;
  private static final int MORE = 0x00;
  private static final int LAST = 0x80;

  private interface Case {
    void run(RawSocket socket) throws Exception;
  }

  private static void echo(HttpServer server) {
    server.webSocket(
        "/echo",
        WebSocketOptions.DEFAULT.withMessage(200_000).withFrame(100_000),
        socket -> {
          for (var message : socket) {
            if (message.isText()) {
              socket.send(message.text());
            } else {
              socket.send(message.bytes());
            }
          }
        });
  }

  private static void with(String headers, Case test) throws Exception {
    try (var http = HttpFixture.open(WebSocketProtocolTest::echo);
        Talk talk = http.talk()) {
      test.run(RawSocket.open(talk, headers));
    }
  }

  /// The server says that code and ends, and others are served.
  private static void refused(int code, Case test) throws Exception {
    refused("", code, test);
  }

  private static void refused(String headers, int code, Case test) throws Exception {
    try (var http = HttpFixture.open(WebSocketProtocolTest::echo)) {
      try (Talk talk = http.talk()) {
        RawSocket socket = RawSocket.open(talk, headers);
        test.run(socket);
        Frame close = socket.read();
        assertEquals(8, close.kind());
        assertEquals(code, close.code(), close.text());
        assertTrue(socket.hasEnded());
      }
      try (Talk talk = http.talk()) {
        RawSocket.open(talk, "").send(TEXT, "others").read();
      }
    }
  }

  // ---- messages

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 125, 126, 127, 128, 65535, 65536, 99_999})
  void messagesOfEverySizeComeBack(int size) throws Exception {
    byte[] payload = new byte[size];
    Arrays.fill(payload, (byte) '*');
    with(
        "",
        socket -> {
          Frame text = socket.send(TEXT, payload).read();
          assertEquals(TEXT, text.first());
          assertArrayEquals(payload, text.payload());

          Arrays.fill(payload, (byte) 0xfe);
          Frame bytes = socket.send(BINARY, payload).read();
          assertEquals(BINARY, bytes.first());
          assertArrayEquals(payload, bytes.payload());
        });
  }

  @Test
  void framesMayComeByteByByte() throws Exception {
    with(
        "",
        socket -> {
          for (byte b : RawSocket.frame(TEXT, true, "slow".getBytes())) {
            socket.bytes(b);
            dev.couv.coro.Loop.awaitIdle();
          }
          assertEquals("slow", socket.read().text());
        });
  }

  @Test
  void aMessageOfSeveralFramesIsOneWithControlFramesBetween() throws Exception {
    byte[] euro = "€".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    with(
        "",
        socket -> {
          socket.send(MORE_TEXT, new byte[] {euro[0]});
          socket.send(PING, "a");
          socket.send(MORE, new byte[] {euro[1]});
          socket.send(MORE, "");
          socket.send(PONG, "unasked");
          socket.send(LAST, new byte[] {euro[2]});

          Frame pong = socket.read();
          assertEquals(PONG, pong.first());
          assertEquals("a", pong.text());
          Frame whole = socket.read();
          assertEquals(TEXT, whole.first());
          assertEquals("€", whole.text());
        });
  }

  @Test
  void pingsAreAnsweredInTheirOrder() throws Exception {
    with(
        "",
        socket -> {
          for (int i = 0; i < 100; i++) {
            socket.send(PING, "ping " + i);
          }
          socket.send(PING, new byte[125]);
          for (int i = 0; i < 100; i++) {
            assertEquals("ping " + i, socket.read().text());
          }
          assertEquals(125, socket.read().payload().length);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {";", ";;", " ; ", ",;", "; , x", ";a=b"})
  void extensionsWithoutANameAreNone(String offered) throws Exception {
    with(
        "Sec-WebSocket-Extensions: " + offered + "\r\n",
        socket -> assertEquals("plain", socket.send(TEXT, "plain").read().text()));
  }

  // ---- broken rules

  @ParameterizedTest
  @ValueSource(ints = {0x83, 0x84, 0x87, 0x8b, 0x8f, 0x03, 0xc1, 0xa1, 0x91, 0xf1, 0xc9, 0xd8})
  void unknownFramesAndReservedBitsAreRefused(int first) throws Exception {
    refused(1002, socket -> socket.send(first, "?"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0xa1, 0x91, 0xc0, 0xc9, 0xca, 0xc8})
  void bitsThatNobodyAgreedOnAreRefusedWithCompression(int first) throws Exception {
    refused(
        "Sec-WebSocket-Extensions: permessage-deflate\r\n",
        1002,
        socket -> {
          if ((first & 15) == 0) {
            socket.send(MORE_TEXT, "a");
          }
          socket.send(first, "");
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0x08, 0x09, 0x0a})
  void controlFramesInPiecesAreRefused(int first) throws Exception {
    refused(1002, socket -> socket.send(first, ""));
  }

  @ParameterizedTest
  @ValueSource(ints = {CLOSE, PING, PONG})
  void longControlFramesAreRefused(int first) throws Exception {
    refused(1002, socket -> socket.send(first, new byte[126]));
  }

  @Test
  void continuationsOfNothingAreRefused() throws Exception {
    refused(1002, socket -> socket.send(LAST, "a"));
    refused(1002, socket -> socket.send(MORE, "a"));
  }

  @Test
  void aMessageInsideOfAnotherIsRefused() throws Exception {
    refused(1002, socket -> socket.send(MORE_TEXT, "a").send(TEXT, "b"));
    refused(1002, socket -> socket.send(MORE_TEXT, "a").send(0x02, "b"));
  }

  @Test
  void aClientHasToMask() throws Exception {
    refused(1002, socket -> socket.bytes(TEXT, 1, 'a'));
  }

  @Test
  void lengthsHaveTheirShortestForm() throws Exception {
    refused(1002, socket -> socket.bytes(BINARY, 0x80 | 126, 0, 5, 1, 2, 3, 4, 1, 2, 3, 4, 5));
    refused(1002, socket -> socket.bytes(BINARY, 0x80 | 127, 0, 0, 0, 0, 0, 0, 0, 5));
    refused(1002, socket -> socket.bytes(BINARY, 0x80 | 127, 255, 0, 0, 0, 0, 0, 0, 5));
  }

  // ---- text

  @ParameterizedTest
  @ValueSource(
      strings = {"c080", "eda080", "f4908080", "ff", "e282", "68656c6c6f80", "c3", "f8888080"})
  void textThatIsNotUtf8IsRefused(String hex) throws Exception {
    byte[] wrong = java.util.HexFormat.of().parseHex(hex);
    refused(1007, socket -> socket.send(TEXT, wrong));
    refused(
        1007, socket -> socket.send(MORE_TEXT, Arrays.copyOf(wrong, 1)).send(LAST, tail(wrong)));
  }

  private static byte[] tail(byte[] bytes) {
    return Arrays.copyOfRange(bytes, 1, bytes.length);
  }

  @Test
  void theReplacementCharacterIsTextLikeAnyOther() throws Exception {
    with("", socket -> assertEquals("\ufffd!", socket.send(TEXT, "\ufffd!").read().text()));
  }

  // ---- limits

  @Test
  void aFrameThatIsAnnouncedTooLargeIsRefusedBeforeItComes() throws Exception {
    refused(1009, socket -> socket.bytes(BINARY, 0x80 | 127, 0, 0, 1, 0, 0, 0, 0, 0));
  }

  @Test
  void aMessageThatGrowsTooLargeIsRefused() throws Exception {
    refused(
        1009,
        socket ->
            socket
                .send(0x02, new byte[90_000])
                .send(MORE, new byte[90_000])
                .send(MORE, new byte[90_000]));
  }

  @Test
  void aMessageThatIsTooLargeWhenItIsDecompressedIsRefused() throws Exception {
    refused(
        "Sec-WebSocket-Extensions: permessage-deflate\r\n",
        1009,
        socket -> socket.send(0xc2, deflated(new byte[50_000_000])));
  }

  @Test
  void whatIsNotCompressedButSaysSoIsRefused() throws Exception {
    refused(
        "Sec-WebSocket-Extensions: permessage-deflate\r\n",
        1007,
        socket -> socket.send(0xc1, new byte[] {-1, -1, -1, -1}));
  }

  static byte[] deflated(byte[] bytes) {
    Deflater deflater = new Deflater(9, true);
    deflater.setInput(bytes);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 16];
    for (int count;
        (count = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH)) > 0; ) {
      out.write(buffer, 0, count);
    }
    deflater.end();
    return Arrays.copyOf(out.toByteArray(), out.size() - 4);
  }

  // ---- compression

  @Test
  void aCompressedMessageInPiecesIsOne() throws Exception {
    String text = "compressed ".repeat(100);
    byte[] small = deflated(text.getBytes());
    with(
        "Sec-WebSocket-Extensions: permessage-deflate\r\n",
        socket -> {
          socket.send(0x41, Arrays.copyOf(small, 3));
          socket.send(LAST, Arrays.copyOfRange(small, 3, small.length));

          Frame answer = socket.read();
          assertEquals(0xc1, answer.first());
          assertTrue(answer.payload().length < 100);
          socket.send(TEXT, "not compressed");
          assertEquals("not compressed", socket.read().text());
        });
  }

  // ---- closing

  @ParameterizedTest
  @ValueSource(
      ints = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999})
  void aCloseIsAnsweredByItsCode(int code) throws Exception {
    refused(code, socket -> socket.send(CLOSE, RawSocket.code(code)));
  }

  @Test
  void aCloseWithoutACodeIsAnswered() throws Exception {
    refused(1000, socket -> socket.send(CLOSE, ""));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535})
  void codesThatNobodyMaySayAreRefused(int code) throws Exception {
    refused(1002, socket -> socket.send(CLOSE, RawSocket.code(code)));
  }

  @Test
  void aCloseOfOneByteIsRefused() throws Exception {
    refused(1002, socket -> socket.send(CLOSE, new byte[1]));
  }

  @Test
  void aReasonThatIsNotUtf8IsRefused() throws Exception {
    refused(1007, socket -> socket.send(CLOSE, new byte[] {3, (byte) 0xe8, (byte) 0xff}));
  }

  @Test
  void whatComesAfterACloseIsNobodys() throws Exception {
    refused(
        1000,
        socket -> socket.send(CLOSE, RawSocket.code(1000)).send(TEXT, "late").send(PING, "late"));
  }

  // ---- the handshake

  @ParameterizedTest
  @CsvSource({
    "Upgrade: websocket, Upgrade: h2c, 426",
    "Upgrade: websocket, X: y, 426",
    "'Connection: keep-alive, Upgrade', Connection: keep-alive, 426",
    "Version: 13, Version: 8, 426",
    "dGhlIHNhbXBsZSBub25jZQ==, short, 400",
    "dGhlIHNhbXBsZSBub25jZQ==, ************************, 400",
    "GET /echo, POST /echo, 405",
    "Host: here, Host: here\\r\\nOrigin: https://evil.example, 403",
    "Host: here, Host: here\\r\\nOrigin: null, 403",
    "Host: here, Host: here\\r\\nOrigin: https://here, 101",
    "Host: here, Host: here\\r\\nContent-Length: 3, 400",
  })
  void onlyARightRequestIsUpgraded(String right, String wrong, int status) throws Exception {
    try (var http = HttpFixture.open(WebSocketProtocolTest::echo);
        Talk talk = http.talk()) {
      String request = RawSocket.HANDSHAKE.replace(right, wrong.replace("\\r\\n", "\r\n"));
      String head = talk.say(request + "\r\n").head();

      assertEquals(status, Integer.parseInt(head.substring(9, 12)), head);
      if (status == 426) {
        assertEquals("13", HttpFixture.field(head, "sec-websocket-version"));
        assertEquals("websocket", HttpFixture.field(head, "upgrade"));
        assertEquals("upgrade", HttpFixture.field(head, "connection"));
      }
      if (status == 101) {
        assertEquals(
            "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", HttpFixture.field(head, "sec-websocket-accept"));
        new RawSocket(talk.stream, talk.in, true).send(CLOSE, "");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "permessage-deflate, true",
    "permessage-deflate; client_max_window_bits, true",
    "permessage-deflate; server_max_window_bits=15, true",
    "permessage-deflate; server_max_window_bits=10, false",
    "'permessage-deflate; server_max_window_bits=10, permessage-deflate', true",
    "permessage-deflate; unknown, false",
    "x-webkit-deflate-frame, false",
  })
  void compressionIsAgreedOnOnlyAsItCanBeDone(String offer, boolean agreed) throws Exception {
    try (var http = HttpFixture.open(WebSocketProtocolTest::echo);
        Talk talk = http.talk()) {
      talk.say(RawSocket.HANDSHAKE + "Sec-WebSocket-Extensions: " + offer + "\r\n\r\n");
      String answer = HttpFixture.field(talk.head(), "sec-websocket-extensions");

      assertEquals(agreed, answer.startsWith("permessage-deflate;"), answer);
      new RawSocket(talk.stream, talk.in, true).send(CLOSE, "");
    }
  }
}
