// SPDX-License-Identifier: Apache-2.0
package dev.couv.bridge;

import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;

/// A [ByteStream] as what libraries of the JDK's shape read and write: [ReadableByteChannel] and [WritableByteChannel].
///
/// Reading and writing wait as they do on the stream, so they are for coroutines of its loop. Closing the channel closes the
/// stream.
public final class ByteChannels {
  private ByteChannels() {}

  /// Both directions of the stream.
  public static ByteChannel of(ByteStream stream) {
    return new StreamChannel(Objects.requireNonNull(stream, "stream"));
  }

  /// What comes through the stream.
  public static ReadableByteChannel readable(ByteStream stream) {
    return of(stream);
  }

  /// What goes into the stream.
  public static WritableByteChannel writable(ByteStream stream) {
    return of(stream);
  }

  private record StreamChannel(ByteStream stream) implements ByteChannel {
    @Override
    public int read(ByteBuffer into) throws IOException {
      checkOpen();
      return stream.read(into);
    }

    /// All of it, as a channel that blocks does.
    @Override
    public int write(ByteBuffer from) throws IOException {
      checkOpen();
      int before = from.remaining();
      stream.write(from);
      return before - from.remaining();
    }

    private void checkOpen() throws ClosedChannelException {
      if (stream.isClosed()) {
        throw new ClosedChannelException();
      }
    }

    @Override
    public boolean isOpen() {
      return stream.isOpen();
    }

    @Override
    public void close() {
      stream.close();
    }

    @Override
    public String toString() {
      return "channel of " + stream;
    }
  }
}
