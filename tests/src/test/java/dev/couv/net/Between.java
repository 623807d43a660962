// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Somebody between a TLS stream and its transport, who passes everything on. Tests make him do
/// otherwise.
class Between implements ByteStream {
  final ByteStream inner;

  Between(ByteStream inner) {
    this.inner = inner;
  }

  /// Called before every await of the transport.
  void awaiting() {}

  @Override
  public int read(ByteBuffer into) throws IOException {
    awaiting();
    return inner.read(into);
  }

  @Override
  public @Nullable ByteBuffer read() throws IOException {
    awaiting();
    return inner.read();
  }

  @Override
  public void unread(ByteBuffer bytes) throws IOException {
    inner.unread(bytes);
  }

  @Override
  public void write(ByteBuffer... from) throws IOException {
    awaiting();
    inner.write(from);
  }

  @Override
  public int tryWrite(ByteBuffer from) throws IOException {
    return inner.tryWrite(from);
  }

  @Override
  public void shutdown() throws IOException {
    awaiting();
    inner.shutdown();
  }

  @Override
  public boolean isOpen() {
    return inner.isOpen();
  }

  @Override
  public long pending() throws IOException {
    return inner.pending();
  }

  @Override
  public void close() {
    inner.close();
  }

  @Override
  public String toString() {
    return inner.toString();
  }

  /// Everything is written one byte at a time.
  static Between trickling(ByteStream inner) {
    return new Between(inner) {
      @Override
      public int tryWrite(ByteBuffer from) {
        return 0;
      }

      @Override
      public void write(ByteBuffer... from) throws IOException {
        for (ByteBuffer buffer : from) {
          while (buffer.hasRemaining()) {
            int limit = buffer.limit();
            buffer.limit(buffer.position() + 1);
            try {
              inner.write(buffer);
            } finally {
              buffer.limit(limit);
            }
          }
        }
      }

      /// And read one byte at a time.
      @Override
      public int read(ByteBuffer into) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        int count = inner.read(one);
        if (count > 0) {
          into.put(one.get(0));
        }
        return count;
      }

      @Override
      public @Nullable ByteBuffer read() throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        return inner.read(one) < 0 ? null : one.flip();
      }
    };
  }
}
