// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.stream.ByteStream;
import dev.couv.stream.Detached;
import dev.couv.world.TcpHandle;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A TCP connection.
@SuppressWarnings("exports") // what it extends has only members that are for users
public final class TcpStream extends SocketStream<TcpHandle> implements ByteStream {
  TcpStream(TcpHandle socket) {
    super(socket);
  }

  /// The address of this end of the connection.
  public InetSocketAddress local() throws IOException {
    return socket.local();
  }

  /// The address of the other end of the connection.
  ///
  /// @throws IOException if it was gone before the connection was accepted: then nobody knows it
  public InetSocketAddress remote() throws IOException {
    return socket.remote();
  }

  /// Whether small writes go out at once instead of waiting for the acknowledgement of earlier ones: they do,
  /// unless told otherwise here or by [TcpOptions#withNoDelay], also those of accepted connections.
  public void noDelay(boolean on) throws IOException {
    socket.noDelay(on);
  }

  /// Asks a silent peer for a sign of life after that long; null turns it off.
  ///
  /// @throws IllegalArgumentException if it is less than a second
  public void keepAlive(@Nullable Duration idle) throws IOException {
    if (idle != null) {
      TcpOptions.checkKeepAlive(idle);
    }
    socket.keepAlive(idle);
  }

  /// Whether Windows may queue several accepts of a listener that shares this socket; nothing
  /// elsewhere.
  public void simultaneousAccepts(boolean on) throws IOException {
    socket.simultaneousAccepts(on);
  }

  /// The size of the system's buffer for what is written. Linux counts its own needs in, and so says
  /// twice what was set.
  public int sendBuffer() throws IOException {
    return socket.buffer(true, 0);
  }

  /// Sets the size of the system's buffer for what is written, within the system's limits.
  public void sendBuffer(int bytes) throws IOException {
    socket.buffer(true, checkBuffer(bytes));
  }

  /// The size of the system's buffer for what has not been read. Linux counts its own needs in, and so says
  /// twice what was set.
  public int receiveBuffer() throws IOException {
    return socket.buffer(false, 0);
  }

  /// Sets the size of the system's buffer for what has not been read, within the system's limits. For a window of more
  /// than 64 KiB it has to be set before the stream is connected: [TcpOptions#withReceiveBuffer].
  public void receiveBuffer(int bytes) throws IOException {
    socket.buffer(false, checkBuffer(bytes));
  }

  static int checkBuffer(int bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a buffer of " + bytes + " bytes");
    }
    return bytes;
  }

  /// Closes the connection at once and tells the peer by a reset instead of an end: what was written
  /// and has not arrived is dropped. Wakes whoever waits, as [#close]. Does nothing if it is closed.
  public void reset() throws IOException {
    socket.reset();
  }

  /// Await function: takes the connection off this loop, for a coroutine of another to adopt. Waits until
  /// what is being written has gone out; then this stream is closed, and the connection is not.
  /// Cancelled, it changes nothing.
  ///
  /// @throws dev.couv.error.BusyException if it is being read, or passed to another process
  public Detached<TcpStream> detach() throws IOException {
    return new DetachedSocket<>(detach(socket, socket::detach), TcpStream::new);
  }
}
