// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Text as the bytes that streams, files and datagrams carry.
public final class Utf8 {
  private Utf8() {}

  /// A new buffer of exactly these.
  public static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  /// What is left in the buffer, which is taken out of it.
  public static String text(ByteBuffer bytes) {
    assertNotNull(bytes);
    return UTF_8.decode(bytes).toString();
  }

  /// What the stream brings next.
  public static String read(ByteStream stream) throws IOException {
    return text(stream.read());
  }
}
