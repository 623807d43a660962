// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.stream.ByteStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What came through a local socket: how many bytes (-1 at the end of the stream), and a socket that was
/// passed with them, a [TcpStream] or a [LocalStream] (which may be the end of a pipe), or null. It is the
/// receiver's to close.
public record Received(int bytes, @Nullable ByteStream handle) {
  /// Whether the socket that came is one that listens: then it is no stream, and [#listener] makes a
  /// listener of it.
  public boolean isListener() throws IOException {
    return handle instanceof SocketStream<?> stream && stream.socket.isListening();
  }

  /// A listener of the socket that came: a [TcpListener] or a [LocalListener]. From then on it is that,
  /// and [#handle] is closed.
  ///
  /// @throws IllegalStateException if none came that listens
  public StreamListener<?> listener() throws IOException {
    if (!isListener()) {
      throw new IllegalStateException("no socket came that listens, but " + handle);
    }
    return switch (handle) {
      case TcpStream stream ->
          new TcpListener(
              stream.socket.listen(ListenOptions.DEFAULT.backlog()), ListenOptions.DEFAULT);
      case LocalStream stream ->
          new LocalListener(stream.socket.listen(LocalOptions.DEFAULT.backlog()));
      case null, default -> throw new AssertionError("a listening " + handle);
    };
  }
}
