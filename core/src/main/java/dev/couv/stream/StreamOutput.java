// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/// The writing half of a byte stream in the form that the JDK knows.
final class StreamOutput extends OutputStream {
  private final ByteStream stream;

  StreamOutput(ByteStream stream) {
    this.stream = stream;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return;
    }
    stream.write(ByteBuffer.wrap(bytes, offset, length));
  }

  @Override
  public void close() {
    stream.close();
  }

  @Override
  public String toString() {
    return "output of " + stream;
  }
}
