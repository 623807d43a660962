// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Suspension;
import dev.couv.loop.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;

/// TCP connections and the listeners that accept them, over IPv4 and IPv6.
public final class Tcp {
  private Tcp() {}

  /// Connects. Cancelling closes the attempt.
  ///
  /// @throws java.net.ConnectException if the other side refuses or does not answer
  public static TcpStream connect(InetSocketAddress to) throws IOException {
    EventLoop loop = Suspension.loop("Tcp.connect");
    SocketAddresses.checkResolved(to);
    TcpStream stream = TcpStream.open(loop, "connect", to);
    ConnectOperation connect = new ConnectOperation(stream, to);
    boolean connected = false;
    try {
      Suspension.await(connect);
      connect.finish();
      connected = true;
      return stream;
    } finally {
      if (!connected) {
        stream.close();
      }
    }
  }

  /// Listens with the default options. Does not wait.
  ///
  /// @throws java.net.BindException if the address is taken or not this machine's
  public static TcpListener listen(InetSocketAddress at) throws IOException {
    return listen(at, ListenOptions.DEFAULT);
  }

  /// Listens. Port 0 lets the system choose one: [TcpListener#local] tells which.
  ///
  /// @throws java.net.BindException if the address is taken or not this machine's
  public static TcpListener listen(InetSocketAddress at, ListenOptions options) throws IOException {
    EventLoop loop = Suspension.loop("Tcp.listen");
    SocketAddresses.checkResolved(at);
    return TcpListener.open(loop, at, options);
  }
}
