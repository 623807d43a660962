// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// Both ends of a connection over the loopback interface, in the loop of the calling coroutine.
public record TcpPair(TcpStream client, TcpStream server) implements AutoCloseable {
  public static TcpPair open() throws IOException {
    return open("127.0.0.1");
  }

  /// `literal` is an address of this machine.
  public static TcpPair open(String literal) throws IOException {
    try (TcpListener listener = Tcp.listen(address(literal, 0))) {
      return through(listener);
    }
  }

  static TcpPair through(TcpListener listener) throws IOException {
    TcpStream client = Tcp.connect(listener.local());
    return new TcpPair(client, listener.accept());
  }

  /// A listener at a port of its own that nobody outside can reach.
  static TcpListener listen() throws IOException {
    return Tcp.listen(address("127.0.0.1", 0));
  }

  public static InetSocketAddress address(String literal, int port) throws IOException {
    return new InetSocketAddress(InetAddress.getByName(literal), port);
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
