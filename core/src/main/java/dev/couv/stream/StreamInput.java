// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/// The reading half of a byte stream in the form that the JDK knows.
final class StreamInput extends InputStream {
  private final ByteStream stream;

  StreamInput(ByteStream stream) {
    this.stream = stream;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    return stream.read(ByteBuffer.wrap(bytes, offset, length));
  }

  @Override
  public void close() {
    stream.close();
  }

  @Override
  public String toString() {
    return "input of " + stream;
  }
}
