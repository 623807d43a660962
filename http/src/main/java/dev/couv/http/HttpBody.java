// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The body of a message that came, read as it comes: what nobody reads the other side cannot send.
///
/// One coroutine reads at a time. It is there until the message was answered.
public interface HttpBody {
  /// The body of a message that has none.
  HttpBody NONE =
      new HttpBody() {
        @Override
        public int read(ByteBuffer into) {
          return -1;
        }

        @Override
        public long length() {
          return 0;
        }

        @Override
        public Headers trailers() {
          return Headers.EMPTY;
        }
      };

  /// A body of those bytes, for tests of handlers.
  static HttpBody of(byte... bytes) {
    return new HeldBody(bytes);
  }

  /// Waits for bytes and puts what has come into the buffer: their number, at least one, or -1 at the end, then and ever
  /// after; 0 only for a buffer without room.
  ///
  /// @throws EOFException if the connection ends before the body does
  /// @throws IOException if the body is malformed or larger than is allowed, or takes too long: what is answered then
  ///     tells the client so, whatever the handler does
  int read(ByteBuffer into) throws IOException;

  /// How many bytes there are in all; -1 if nobody knows yet.
  long length();

  /// What came behind the body, once its end was read; empty before.
  Headers trailers();

  /// Waits for bytes and returns what has come, in a buffer that is the caller's; null at the end.
  default @Nullable ByteBuffer read() throws IOException {
    long length = length();
    int room = length >= 0 && length < 1 << 13 ? Math.max((int) length, 1) : 1 << 13;
    ByteBuffer buffer = ByteBuffer.allocate(room);
    return read(buffer) < 0 ? null : buffer.flip();
  }

  /// All of it.
  ///
  /// @throws HttpFailure with the status 413 if that is more than `limit` bytes, or than an array can have
  /// @throws IllegalStateException if it was read before, and that can be told: where its length was announced
  default byte[] bytes(int limit) throws IOException, HttpFailure {
    if (limit < 0) {
      throw new IllegalArgumentException("negative limit: " + limit);
    }
    int most = Math.min(limit, HeldBody.MOST);
    if (length() > most) {
      throw new HttpFailure(413, "more than " + most + " bytes");
    }
    // A length is only a claim until its bytes have come: it takes no more memory than a small
    // body.
    int expected = length() >= 0 ? (int) Math.min(length(), 1 << 13) : Math.min(most, 1 << 10);
    // One more than there should be, so that the end is seen without another array.
    ByteBuffer all = ByteBuffer.allocate(expected + 1);
    while (read(all) >= 0) {
      if (all.position() > most) {
        throw new HttpFailure(413, "more than " + most + " bytes");
      }
      if (!all.hasRemaining()) {
        int larger = HeldBody.larger(all.capacity(), length(), most);
        all = ByteBuffer.wrap(Arrays.copyOf(all.array(), larger)).position(all.position());
      }
    }
    if (all.position() == 0 && length() > 0) {
      throw new IllegalStateException("the body was read already: it can be read once");
    }
    return Arrays.copyOf(all.array(), all.position());
  }

  /// All of it as text, in UTF-8.
  ///
  /// @throws HttpFailure with the status 413 if that is more than `limit` bytes
  default String text(int limit) throws IOException, HttpFailure {
    return new String(bytes(limit), StandardCharsets.UTF_8);
  }

  /// All of it to somebody else, no faster than that takes it: how many bytes that was.
  default long copyTo(BodySink to) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(1 << 14);
    long copied = 0;
    while (read(buffer.clear()) >= 0) {
      copied += buffer.flip().remaining();
      to.write(buffer);
    }
    return copied;
  }

  /// The body for code that knows only `InputStream`. Its calls wait as those of the body do, in a coroutine.
  default InputStream input() {
    return new BodyInput(this);
  }
}
