// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.couv.net.LocalStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Test data, and what is read of it.
public final class Bytes {
  private Bytes() {}

  /// Bytes of which no stretch looks like another, whatever piece got lost, doubled or moved.
  public static byte[] pattern(int length) {
    byte[] bytes = new byte[length];
    int state = 0x9E3779B9 ^ length;
    for (int i = 0; i < length; i++) {
      state = state * 1664525 + 1013904223;
      bytes[i] = (byte) (state >>> 24);
    }
    return bytes;
  }

  static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  static ByteBuffer heap(String text) {
    return ISO_8859_1.encode(text);
  }

  /// What lies before the position.
  public static String text(ByteBuffer buffer) {
    return ISO_8859_1.decode(buffer.duplicate().flip()).toString();
  }

  /// Writes until the kernel takes nothing more, and so it stays until the other end reads: that is true of a local socket,
  /// not of TCP, which makes room by itself whenever what it took has arrived. How many bytes that was.
  static int fill(LocalStream stream) throws IOException {
    int filled = 0;
    for (int count; (count = stream.tryWrite(ByteBuffer.allocate(1 << 12))) > 0; ) {
      filled += count;
    }
    return filled;
  }

  /// The next bytes, as many as asked for.
  static byte[] readFully(ByteStream from, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    from.readFully(buffer);
    return buffer.array();
  }

  /// The next characters.
  static String readText(ByteStream from, int length) throws IOException {
    return new String(readFully(from, length), ISO_8859_1);
  }

  /// Everything up to the end of the stream.
  public static byte[] readAll(ByteStream from) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    while (from.read(buffer.clear()) >= 0) {
      all.write(buffer.array(), 0, buffer.position());
    }
    return all.toByteArray();
  }
}
