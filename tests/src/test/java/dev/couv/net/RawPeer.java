// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// A peer that no loop serves: a plain socket of the JDK, never blocking, and the stream it is
/// connected to. What it does has reached the kernel when the call returns, and no poll has seen it.
public final class RawPeer implements AutoCloseable {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final SocketChannel channel;
  private final TcpStream stream;

  private RawPeer(SocketChannel channel, TcpStream stream) {
    this.channel = channel;
    this.stream = stream;
  }

  public static RawPeer open() throws IOException {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      SocketChannel channel = dial(listener);
      return new RawPeer(channel, listener.accept());
    }
  }

  /// A connected socket; the listener has not accepted it.
  static SocketChannel dial(TcpListener listener) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false); // a blocking connect would give others a turn
    channel.connect(listener.local());
    while (!channel.finishConnect()) {
      Thread.onSpinWait();
    }
    return channel;
  }

  /// The other end, in the loop.
  public TcpStream stream() {
    return stream;
  }

  /// Sends a little text.
  public void send(String text) throws IOException {
    ByteBuffer bytes = ISO_8859_1.encode(text);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /// Sends a byte that is not among the others, and where reads of these end.
  void sendUrgently(char sign) throws IOException {
    channel.socket().sendUrgentData(sign);
  }

  /// Ends its own direction.
  public void endOutput() throws IOException {
    channel.shutdownOutput();
  }

  /// The next characters, as many as asked for; the kernel may take a moment to pass them on.
  public String receive(int length) throws IOException {
    ByteBuffer received = ByteBuffer.allocate(length);
    while (received.hasRemaining()) {
      if (channel.read(received) < 0) {
        throw new EOFException("after " + ISO_8859_1.decode(received.flip()));
      }
      Thread.onSpinWait();
    }
    return ISO_8859_1.decode(received.flip()).toString();
  }

  /// Whether nothing has arrived, and no end.
  public boolean hasHeardNothing() throws IOException {
    return channel.read(ByteBuffer.allocate(1)) == 0;
  }

  /// Takes what comes until the other end has closed, by an end or a reset, which is expected to
  /// happen without another turn of the loop. False if it does not.
  static boolean hearsTheEnd(SocketChannel channel) {
    ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    long start = System.nanoTime();
    try {
      while (System.nanoTime() - start < PATIENCE_NANOS) {
        if (channel.read(buffer.clear()) < 0) {
          return true;
        }
        Thread.onSpinWait();
      }
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  public boolean hearsTheEnd() {
    return hearsTheEnd(channel);
  }

  /// Breaks the connection: the other end sees a reset.
  public void reset() throws IOException {
    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    channel.close();
  }

  @Override
  public void close() throws IOException {
    channel.close();
    stream.close();
  }
}
