// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.Utf8;
import java.nio.ByteBuffer;

/// Sockets for datagrams, and what comes.
final class Datagrams {
  private Datagrams() {}

  /// A socket at a port of its own that nobody outside can reach.
  static UdpSocket bound() throws Exception {
    return Udp.bind(TcpPair.address("127.0.0.1", 0));
  }

  /// The next one, as text.
  static String received(UdpSocket socket) throws Exception {
    ByteBuffer buffer = ByteBuffer.allocate(100);
    socket.receive(buffer);
    return Utf8.text(buffer.flip());
  }
}
