// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.couv.net.Tcp;
import dev.couv.net.TcpStream;
import dev.couv.stream.ByteReader;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/// A client of HTTP/2 that says whatever a test wants: frame by frame, right or wrong.
final class RawTwo implements AutoCloseable {
  static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  static final int END_STREAM = 1;
  static final int ACK = 1;
  static final int END_HEADERS = 4;

  final TcpStream stream;
  private final ByteReader in;
  private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);
  private final Map<Integer, Answer> answers = new HashMap<>();

  private RawTwo(TcpStream stream) {
    this.stream = stream;
    this.in = ByteReader.of(stream).limit(1 << 26);
  }

  static RawTwo connect(InetSocketAddress address) throws IOException {
    return new RawTwo(Tcp.connect(address));
  }

  /// One that has begun as it should, with its settings: identifiers and values in turn.
  static RawTwo open(InetSocketAddress address, int... settings) throws IOException {
    RawTwo client = connect(address);
    client.stream.write(PREFACE);
    return client.settings(settings);
  }

  static RawTwo open(HttpFixture http, int... settings) throws IOException {
    return open(http.address(), settings);
  }

  record Frame(int type, int flags, int stream, byte[] payload) {
    boolean is(int flag) {
      return (flags & flag) != 0;
    }

    /// The error of a reset or a farewell.
    int error() {
      return ByteBuffer.wrap(payload).getInt(type == GOAWAY ? 4 : 0);
    }
  }

  /// What came on a stream so far.
  static final class Answer {
    int status;
    Http2Headers head;
    Http2Headers trailers;
    final StringBuilder body = new StringBuilder();
    int reset = -1;
    boolean ended;

    String header(String name) {
      CharSequence value = head.get(name);
      return value == null ? "" : value.toString();
    }

    @Override
    public String toString() {
      return status + " " + body + (reset < 0 ? "" : " reset " + reset);
    }
  }

  // ---- saying

  RawTwo settings(int... settings) throws IOException {
    ByteBuffer payload = ByteBuffer.allocate(settings.length * 3);
    for (int i = 0; i < settings.length; i += 2) {
      payload.putShort((short) settings[i]).putInt(settings[i + 1]);
    }
    return frame(SETTINGS, 0, 0, payload.array());
  }

  RawTwo frame(int type, int flags, int stream, byte... payload) throws IOException {
    this.stream.write(bytes(type, flags, stream, payload));
    return this;
  }

  static byte[] bytes(int type, int flags, int stream, byte... payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  static byte[] number(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  /// A head, uncompressed: names and values in turn.
  static byte[] head(String... fields) {
    var block = new ByteArrayOutputStream();
    for (int i = 0; i < fields.length; i += 2) {
      block.write(0);
      string(block, fields[i]);
      string(block, fields[i + 1]);
    }
    return block.toByteArray();
  }

  private static void string(ByteArrayOutputStream block, String text) {
    int length = text.length();
    if (length < 127) {
      block.write(length);
    } else {
      block.write(127);
      for (length -= 127; length > 127; length >>= 7) {
        block.write(length & 127 | 128);
      }
      block.write(length);
    }
    block.writeBytes(text.getBytes(ISO_8859_1));
  }

  static byte[] request(String method, String path, String... more) {
    String[] fields = new String[8 + more.length];
    String[] first = {":method", method, ":scheme", "http", ":path", path, ":authority", "here"};
    System.arraycopy(first, 0, fields, 0, 8);
    System.arraycopy(more, 0, fields, 8, more.length);
    return head(fields);
  }

  RawTwo get(int id, String path, String... more) throws IOException {
    return frame(HEADERS, END_HEADERS | END_STREAM, id, request("GET", path, more));
  }

  /// With a body to come.
  RawTwo post(int id, String path, String... more) throws IOException {
    return frame(HEADERS, END_HEADERS, id, request("POST", path, more));
  }

  RawTwo data(int id, String bytes, boolean end) throws IOException {
    return frame(DATA, end ? END_STREAM : 0, id, bytes.getBytes(ISO_8859_1));
  }

  RawTwo reset(int id, int error) throws IOException {
    return frame(RST_STREAM, 0, id, number(error));
  }

  /// The server may send so much more.
  RawTwo window(int id, int more) throws IOException {
    return frame(WINDOW_UPDATE, 0, id, number(more));
  }

  // ---- hearing

  /// The next frame, whatever it is; null at the end.
  Frame next() throws IOException {
    if (in.peek() < 0) {
      return null;
    }
    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int id = in.readInt();
    Frame frame = new Frame(type, flags, id, in.readBytes(length));
    note(frame);
    return frame;
  }

  private void note(Frame frame) throws IOException {
    Answer answer = of(frame.stream);
    switch (frame.type) {
      case DATA -> {
        answer.body.append(new String(frame.payload, ISO_8859_1));
        answer.ended |= frame.is(END_STREAM);
      }
      case HEADERS -> {
        Http2Headers fields;
        try {
          fields = decoder.decodeHeaders(frame.stream, Unpooled.wrappedBuffer(frame.payload));
        } catch (Http2Exception e) {
          throw new IOException(e);
        }
        if (fields.status() != null) {
          answer.status = Integer.parseInt(fields.status().toString());
          answer.head = fields;
        } else {
          answer.trailers = fields;
        }
        answer.ended |= frame.is(END_STREAM);
      }
      case RST_STREAM -> answer.reset = frame.error();
      default -> {}
    }
  }

  Answer of(int id) {
    return answers.computeIfAbsent(id, _ -> new Answer());
  }

  /// Reads on until there is such a frame.
  Frame await(Predicate<Frame> wanted) throws IOException {
    while (true) {
      Frame frame = next();
      if (frame == null) {
        throw new EOFException("the connection has ended");
      }
      if (wanted.test(frame)) {
        return frame;
      }
    }
  }

  Frame await(int type) throws IOException {
    return await(frame -> frame.type == type);
  }

  /// The answer on that stream, to its end, one way or the other.
  Answer answer(int id) throws IOException {
    Answer answer = of(id);
    while (!answer.ended && answer.reset < 0) {
      if (next() == null) {
        throw new EOFException("the connection has ended: " + answer);
      }
    }
    return answer;
  }

  /// Reads to the end of the connection: the error of the farewell; -1 if there was none.
  int farewell() throws IOException {
    int error = -1;
    for (Frame frame; (frame = next()) != null; ) {
      if (frame.type == GOAWAY) {
        error = frame.error();
      }
    }
    return error;
  }

  /// Waits until the server has seen all that was said so far.
  RawTwo sync() throws IOException {
    frame(PING, 0, 0, new byte[8]);
    await(frame -> frame.type == PING && frame.is(ACK));
    return this;
  }

  @Override
  public void close() {
    stream.close();
  }
}
