// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Where a body goes that is written while it is sent. Writing waits where the client is slow.
public interface ContentWriter extends BodySink {
  /// All of the buffer.
  @Override
  void write(ByteBuffer bytes) throws IOException;

  /// All of the array.
  default void write(byte[] bytes) throws IOException {
    write(ByteBuffer.wrap(bytes));
  }

  /// Text, in UTF-8.
  default void write(String text) throws IOException {
    write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  /// Waits until the kernel has all that was written. Without a word that happens at the end of each turn.
  void flush() throws IOException;

  /// A header behind the body, for clients that look there.
  ///
  /// @throws IllegalArgumentException if it is one that only a head may have
  void trailer(String name, String value);

  /// Itself, for code that knows only `OutputStream`. Closing it does nothing.
  default OutputStream output() {
    return new OutputStream() {
      @Override
      public void write(int value) throws IOException {
        ContentWriter.this.write(new byte[] {(byte) value});
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        ContentWriter.this.write(ByteBuffer.wrap(bytes, offset, length));
      }

      @Override
      public void flush() throws IOException {
        ContentWriter.this.flush();
      }
    };
  }
}
