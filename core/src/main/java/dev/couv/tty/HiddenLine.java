// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One line that nobody but the caller is to keep: its bytes are overwritten where they were on the way. What
/// came behind it stays for the next read.
final class HiddenLine {
  private static final int LONGEST = 1 << 20;
  private static final int ROOM = 4096;

  private byte[] bytes = new byte[128];
  private int length;

  private HiddenLine() {}

  /// Waits for it. Null if the stream ends before it begins.
  static char @Nullable [] read(ByteStream from) throws IOException {
    HiddenLine line = new HiddenLine();
    try {
      return line.fill(from) ? line.text() : null;
    } finally {
      Arrays.fill(line.bytes, (byte) 0);
    }
  }

  /// False if there is none.
  private boolean fill(ByteStream from) throws IOException {
    byte[] room = new byte[ROOM];
    try {
      for (int count; (count = from.read(ByteBuffer.wrap(room))) >= 0; ) {
        ByteBuffer more = ByteBuffer.wrap(room, 0, count);
        if (add(more)) {
          from.unread(more);
          return true;
        }
      }
      return length > 0;
    } finally {
      Arrays.fill(room, (byte) 0);
    }
  }

  /// Whether that was the end of the line.
  private boolean add(ByteBuffer more) throws IOException {
    while (more.hasRemaining()) {
      byte next = more.get();
      if (next == '\n') {
        return true;
      }
      if (length == LONGEST) {
        throw new IOException("a password of more than " + LONGEST + " bytes");
      }
      if (length == bytes.length) {
        byte[] larger = Arrays.copyOf(bytes, 2 * length);
        Arrays.fill(bytes, (byte) 0);
        bytes = larger;
      }
      bytes[length++] = next;
    }
    return false;
  }

  private char[] text() {
    int end = length > 0 && bytes[length - 1] == '\r' ? length - 1 : length;
    CharBuffer decoded = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(bytes, 0, end));
    char[] text = new char[decoded.remaining()];
    decoded.get(text);
    Arrays.fill(decoded.array(), '\0');
    return text;
  }
}
