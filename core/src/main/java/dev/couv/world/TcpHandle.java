// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A TCP connection.
public interface TcpHandle extends SocketHandle {
  /// This end.
  InetSocketAddress local() throws IOException;

  /// The other end.
  ///
  /// @throws IOException if it was gone before anybody asked
  InetSocketAddress remote() throws IOException;

  /// Whether small writes go out at once.
  void noDelay(boolean on) throws IOException;

  /// Asks a silent peer for a sign of life after that long; null for never.
  void keepAlive(@Nullable Duration idle) throws IOException;

  /// Whether several accepts are queued by a listener that shares the socket, where there is such a thing.
  default void simultaneousAccepts(boolean on) throws IOException {
    checkUsable();
  }

  /// Sets the size of the system's buffer for one direction, unless it is 0; the size now.
  int buffer(boolean sending, int bytes) throws IOException;

  /// Closes it, and tells the peer by a reset.
  void reset() throws IOException;

  /// Takes the connection off the loop, with what was read and not taken, and closes this. With the turn to write, and
  /// nothing left to be written.
  default LooseStream<TcpHandle> detach() throws IOException {
    throw new UnsupportedOperationException(this + " cannot leave its loop");
  }

  /// Makes a listener of a socket that [#isListening], and closes this.
  default TcpListenHandle listen(int backlog) throws IOException {
    throw new UnsupportedOperationException(this + " is none that listens");
  }
}
