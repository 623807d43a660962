// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;

/// Sockets for datagrams. Nothing waits.
public interface Datagrams {
  /// A socket at that address, or at a port that is chosen if it is 0.
  UdpHandle bind(EventLoop loop, InetSocketAddress at, boolean reuseAddress, boolean ipv6Only)
      throws IOException;

  /// A socket at an address that is chosen, which has that peer.
  UdpHandle connect(EventLoop loop, InetSocketAddress to) throws IOException;
}
