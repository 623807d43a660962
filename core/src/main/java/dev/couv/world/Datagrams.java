// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;

/// Sockets for datagrams.
public interface Datagrams {
  /// A socket for addresses of the family of that one, which it is to be bound or connected to next; `call` says which of
  /// both, for messages.
  UdpHandle open(EventLoop loop, String call, InetSocketAddress subject) throws IOException;
}
