// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.world.Datagrams;
import dev.couv.world.UdpHandle;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// Opens datagram sockets: one that cannot be bound or connected is closed again.
final class HostDatagrams implements Datagrams {
  @Override
  public UdpHandle bind(
      EventLoop loop, InetSocketAddress at, boolean reuseAddress, boolean ipv6Only)
      throws IOException {
    HostUdp socket = new HostUdp(loop, at.getAddress());
    socket.open("bind", at);
    return complete(socket, () -> socket.bind(at, reuseAddress, ipv6Only));
  }

  @Override
  public UdpHandle connect(EventLoop loop, InetSocketAddress to) throws IOException {
    boolean v6 = to.getAddress() instanceof Inet6Address;
    HostUdp socket = new HostUdp(loop, InetAddress.ofLiteral(v6 ? "::" : "0.0.0.0"));
    socket.open("connect", to);
    return complete(socket, () -> socket.connect(to));
  }

  private interface Step {
    void take() throws IOException;
  }

  private static UdpHandle complete(HostUdp socket, Step last) throws IOException {
    boolean complete = false;
    try {
      last.take();
      complete = true;
      return socket;
    } finally {
      if (!complete) {
        socket.close();
      }
    }
  }
}
