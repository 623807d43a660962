// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.stream.ByteReader;
import dev.couv.stream.ByteStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// A side of a WebSocket that says whatever a test wants: frame by frame, right or wrong.
final class RawSocket {
  static final String HANDSHAKE =
      """
      GET /echo HTTP/1.1\r
      Host: here\r
      Upgrade: websocket\r
      Connection: keep-alive, Upgrade\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      """;

  private final ByteStream stream;
  private final ByteReader in;
  private final boolean masks;

  RawSocket(ByteStream stream, ByteReader in, boolean masks) {
    this.stream = stream;
    this.in = in;
    this.masks = masks;
  }

  /// One of a client, after a handshake with those headers beside the usual.
  static RawSocket open(HttpFixture.Talk talk, String headers) throws IOException {
    talk.say(HANDSHAKE + headers + "\r\n");
    String head = talk.head();
    if (!head.startsWith("HTTP/1.1 101 ")) {
      throw new IOException(head);
    }
    return new RawSocket(talk.stream, talk.in, true);
  }

  record Frame(int first, byte[] payload) {
    int kind() {
      return first & 15;
    }

    String text() {
      return new String(payload, UTF_8);
    }

    int code() {
      return payload.length < 2 ? -1 : ByteBuffer.wrap(payload).getShort() & 0xffff;
    }
  }

  Frame read() throws IOException {
    int first = in.readUnsignedByte();
    int second = in.readUnsignedByte();
    if ((second & 0x80) != 0 == masks) {
      throw new IOException("masked as we are");
    }
    long length = second & 0x7f;
    length = length == 126 ? in.readUnsignedShort() : length == 127 ? in.readLong() : length;
    byte[] mask = (second & 0x80) != 0 ? in.readBytes(4) : new byte[4];
    byte[] payload = in.readBytes((int) length);
    for (int i = 0; i < payload.length; i++) {
      payload[i] ^= mask[i & 3];
    }
    return new Frame(first, payload);
  }

  /// True if the other side has ended the connection.
  boolean hasEnded() throws IOException {
    return in.peek() < 0;
  }

  RawSocket send(int first, String payload) throws IOException {
    return send(first, payload.getBytes(UTF_8));
  }

  RawSocket send(int first, byte[] payload) throws IOException {
    stream.write(frame(first, masks, payload));
    return this;
  }

  RawSocket bytes(int... bytes) throws IOException {
    byte[] all = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      all[i] = (byte) bytes[i];
    }
    stream.write(all);
    return this;
  }

  static byte[] frame(int first, boolean masked, byte[] payload) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(first);
    int mask = masked ? 0x80 : 0;
    if (payload.length < 126) {
      frame.write(mask | payload.length);
    } else if (payload.length < 1 << 16) {
      frame.write(mask | 126);
      frame.writeBytes(ByteBuffer.allocate(2).putShort((short) payload.length).array());
    } else {
      frame.write(mask | 127);
      frame.writeBytes(ByteBuffer.allocate(8).putLong(payload.length).array());
    }
    byte[] body = Arrays.copyOf(payload, payload.length);
    if (masked) {
      byte[] key = {17, -5, 99, 3};
      frame.writeBytes(key);
      for (int i = 0; i < body.length; i++) {
        body[i] ^= key[i & 3];
      }
    }
    frame.writeBytes(body);
    return frame.toByteArray();
  }

  static byte[] code(int code) {
    return new byte[] {(byte) (code >> 8), (byte) code};
  }
}
